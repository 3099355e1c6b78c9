{# Partitions, partition keys, parent and child tables of a table, and triggers of single partitions, which stay on when those of the table are disabled; parameters: schema, table; output: kind, name, detail, column, removal #}
with
{% include "dialects/postgres/replace/subject_columns.sql" %}

select
    case when i.inhrelid = subject.oid then 'parent_table' when subject.relkind = 'p' then 'partition' else 'child_table' end as kind,
    case when i.inhrelid = subject.oid then i.inhparent else i.inhrelid end::regclass::text as name,
    '' as detail,
    null::text as column_name,
    '' as removal
from subject
join pg_catalog.pg_inherits as i on subject.oid in (i.inhparent, i.inhrelid)
union all
select 'partition_key', a.attname, '', a.attname, ''
from attribute as a
join pg_catalog.pg_partitioned_table as p on p.partrelid = a.attrelid and a.attnum = any (p.partattrs)
union all
select 'firing_trigger', t.tgname, '', null, format('drop trigger %%I on %%s', t.tgname, t.tgrelid::regclass)
from subject
cross join lateral pg_partition_tree(subject.oid) as tree
join pg_catalog.pg_trigger as t on t.tgrelid = tree.relid
where tree.level > 0
    and t.tgparentid = 0
    and not t.tgisinternal
    and t.tgenabled <> 'D'
