{# The table or view that a name refers to; parameters: database or null, schema or null, table; output: database, schema, table, is_table #}
with asked as (
    select
        %s::text as in_database,
        %s::text as in_schema,
        %s::text as relation
)
select null, n.nspname, c.relname, c.relkind in ('r', 'p')
from asked
join pg_catalog.pg_class as c on c.relname = asked.relation
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where coalesce(asked.in_database, current_database()) = current_database()
    and (n.nspname = asked.in_schema or asked.in_schema is null and n.nspname = any (current_schemas(false)))
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
order by array_position(current_schemas(false), n.nspname)
limit 1
