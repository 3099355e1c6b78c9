{# How many persons a table holds; inputs: persons; output: persons #}
select count(*) as persons
from {{ persons | name }}
