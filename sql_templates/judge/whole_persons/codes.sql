{# The codes of the persons that stay published; inputs: persons, person_table; output: value, code #}
select
    persons.value,
    persons.code
from {{ persons | name }} as persons
join (
    select distinct person
    from {{ person_table | name }}
) as kept on kept.person = persons.code
