{# Triggers of single partitions, which switching off those of the whole table leaves on; parameters: schema, table; output: kind, name, detail, column, removal #}
select 'firing_trigger', t.tgname, '', null::text, format('drop trigger %%I on %%s', t.tgname, t.tgrelid::regclass)
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join lateral pg_partition_tree(c.oid) as tree
join pg_catalog.pg_trigger as t on t.tgrelid = tree.relid
where n.nspname = %s and c.relname = %s
    and tree.level > 0
    and t.tgparentid = 0
    and not t.tgisinternal
    and t.tgenabled <> 'D'
