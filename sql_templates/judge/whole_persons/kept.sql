{# Combinations without those of some persons; inputs: combinations, persons; output: that of combinations #}
select combinations.*
from {{ combinations | name }} as combinations
left join {{ persons | name }} as persons on persons.person = combinations.person
where persons.person is null
