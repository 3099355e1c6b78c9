{# An empty table that takes a table's rows; inputs: table, source #}
create table {{ table | name }} as
select *
from {{ source | name }}
limit 0
