{# Creates an empty table that can hold a table's rows; inputs: table, source #}
create table {{ table | name }} as
select *
from {{ source | name }}
limit 0
