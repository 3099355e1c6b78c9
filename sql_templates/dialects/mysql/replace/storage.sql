{# How the table is stored; parameters: schema, table; output: engine, type #}
select engine, table_type
from information_schema.tables
where table_schema = %s and table_name = %s
