{# A code for every person; inputs: combinations; output: value, code #}
select
    person_value as value,
    row_number() over (order by person_value) as code
from (
    select distinct person_value
    from {{ combinations | name }}
    where person_value is not null
) as persons
