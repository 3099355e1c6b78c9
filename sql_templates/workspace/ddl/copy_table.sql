{# Creates a copy of a table's rows; inputs: table, source #}
create table {{ table | name }} as
select *
from {{ source | name }}
