{# Tables of ours in any schema of this database; output: schema, table #}
select schema_name, table_name
from duckdb_tables()
where database_name = current_database() and (table_name[1:8] = '__kanon_' or table_name = 'kanon_runs') and not temporary
order by schema_name, table_name
