{# The tables and views a name without a schema may mean; output: name #}
select c.relname
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and n.nspname = any (current_schemas(false))
