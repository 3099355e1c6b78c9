{# Removes the statistics of all columns and index expressions where this user may; parameters: relations (oids); output: how many #}
select count(pg_clear_attribute_stats(n.nspname::text, c.relname::text, a.attname::text, kind.inherited))
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_catalog.pg_index as i on i.indexrelid = c.oid
cross join (values (false), (true)) as kind (inherited)
where c.oid = any (%s::oid[]) and has_table_privilege(coalesce(i.indrelid, c.oid), 'maintain')
