{# The table's identity columns; parameters: schema, table; output: kind, name, detail, column, removal #}
select 'counter', a.attname, '', a.attname, ''
from pg_catalog.pg_attribute as a
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = %s and c.relname = %s and a.attidentity <> '' and not a.attisdropped
