{# The number of persons; inputs: persons; output: persons #}
select count(*) as persons
from {{ persons | name }}
