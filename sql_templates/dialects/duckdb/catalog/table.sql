{# The table or view a name means; parameters: database or null, schema or null, table; output: database, schema, table, is_table #}
select database_name, schema_name, table_name, is_table
from (
    select database_name, schema_name, table_name, true as is_table
    from duckdb_tables()
    union all
    select database_name, schema_name, view_name, false
    from duckdb_views()
) as relations
where database_name = coalesce(?, database_name)
    and schema_name = coalesce(?, current_schema())
    and lower(table_name) = lower(?)
order by database_name = current_database() desc
limit 1
