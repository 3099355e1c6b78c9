{# The number of leaves of the source, NULL included, that are not listed; inputs: leaves, file; output: leaves #}
select count(*) as leaves
from {{ leaves | name }} as leaf
left join {{ file | name }} as f on f.value = leaf.value
where f.value is null
