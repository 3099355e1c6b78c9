{# NULL values of a source column; inputs: hierarchy; output: leaves #}
select count(*) as leaves
from {{ hierarchy | name }}
where value is null
