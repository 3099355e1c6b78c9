{# The table or view that a name refers to, in the current database unless it says another; parameters: database or null, schema or null, table; output: database, schema, table, is_table #}
with asked as (
    select
        cast(? as varchar) as in_database,
        cast(? as varchar) as in_schema,
        cast(? as varchar) as relation
),
relations as (
    select database_name, schema_name, table_name, true as is_table
    from duckdb_tables()
    union all
    select database_name, schema_name, view_name, false
    from duckdb_views()
)
select database_name, schema_name, table_name, is_table
from relations
join asked on lower(table_name) = lower(relation)
where schema_name = coalesce(in_schema, current_schema())
    and (
        database_name = coalesce(in_database, current_database())
        or (database_name = 'temp' and in_database is null and in_schema is null)
    )
order by database_name = 'temp'
limit 1
