{# The table or view that a name refers to; parameters: database (unused), schema or null, table; output: database, schema, table, is_table #}
select null, schema, name, type <> 'view'
from pragma_table_list
where ?1 is null
    and schema = coalesce(?2, 'main')
    and lower(name) = lower(?3)
    and type in ('table', 'view', 'virtual')
