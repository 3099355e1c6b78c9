{# The tables and views of a schema; parameters: database or null, schema; output: name #}
select c.relname
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where coalesce(%s::text, current_database()) = current_database()
    and n.nspname = %s
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not c.relispartition
order by c.relname
