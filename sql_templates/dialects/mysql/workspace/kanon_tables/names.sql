{# Tables of kanon_sql in all schemas; output: schema, table #}
select table_schema, table_name
from information_schema.tables
where table_type = 'BASE TABLE' and (left(table_name, 8) = '__kanon_' or table_name = 'kanon_runs')
order by table_schema, table_name
