{# Tables of kanon_sql in all schemas of all attached databases; output: database, schema, table #}
select database_name, schema_name, table_name
from duckdb_tables()
where (table_name[1:8] = '__kanon_' or table_name = 'kanon_runs') and not temporary and not internal
order by database_name, schema_name, table_name
