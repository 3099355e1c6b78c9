{# How many persons there are; inputs: persons; output: persons #}
select count(*) as persons
from {{ persons | name }}
