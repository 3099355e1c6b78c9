{# Whether a column of the source has NULLs; inputs: hierarchy; output: leaves #}
select count(*) as leaves
from {{ hierarchy | name }}
where value is null
