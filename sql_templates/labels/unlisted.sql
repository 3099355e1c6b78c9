{# Leaves of the source, NULL among them, that the file does not list; inputs: leaves, file; output: leaves #}
select count(*) as leaves
from {{ leaves | name }} as leaf
left join {{ file | name }} as f on f.value = leaf.value
where f.value is null
