{# Whether a relation is a table, of which the database can draw a sample; parameters: schema, table; output: one row if it is #}
select 1
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = %s
    and c.relname = %s
    and c.relkind in ('r', 'p', 'm')
