{# Copies a table's rows as they are under the lock; inputs: table, source #}
insert into {{ table | name }}
select *
from {{ source | name }}
