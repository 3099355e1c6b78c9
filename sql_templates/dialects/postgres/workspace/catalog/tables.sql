{# The tables and views of the schemas that the user may use; output: database (unused), schema (null on the search path), name #}
select
    null,
    case when n.nspname <> all (current_schemas(false)) then n.nspname end,
    c.relname
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and n.nspname <> 'information_schema'
    and not starts_with(n.nspname, 'pg_')
    and has_schema_privilege(n.oid, 'usage')
