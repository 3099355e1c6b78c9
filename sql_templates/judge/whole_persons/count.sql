{# The number of persons in a table; inputs: persons; output: persons #}
select count(*) as persons
from {{ persons | name }}
