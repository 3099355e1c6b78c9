{# The columns that are a unique key by themselves; parameters: database (unused), schema, table; output: name #}
select a.attname
from pg_catalog.pg_index as i
join pg_catalog.pg_class as c on c.oid = i.indrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = i.indkey[0]
where %s::text is null
    and n.nspname = %s
    and c.relname = %s
    and i.indisunique
    and i.indnkeyatts = 1
    and i.indpred is null
    and i.indexprs is null
