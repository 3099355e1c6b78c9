{# The table or view that a name refers to; parameters: database (unused), schema or null, table; output: database, schema, table, is_table #}
select null, table_schema, table_name, table_type in ('BASE TABLE', 'SYSTEM VERSIONED')
from information_schema.tables
where %s is null
    and table_schema = coalesce(%s, database())
    and table_name = %s
