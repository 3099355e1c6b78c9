{# Objects that depend on the type of a column: identity, defaults, domains that refuse NULL, indexes with another access method or operator class than the default; parameters: schema, table; output: kind, name, detail, column, removal #}
with recursive
{% include "dialects/postgres/replace/subject_columns.sql" %},
domain as (
    select a.attname, t.typtype, t.typnotnull, t.typbasetype
    from attribute as a
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    union all
    select domain.attname, t.typtype, t.typnotnull, t.typbasetype
    from domain
    join pg_catalog.pg_type as t on t.oid = domain.typbasetype
    where domain.typtype = 'd'
)
select 'counter' as kind, a.attname::text as name, '' as detail, a.attname::text as column_name, '' as removal
from attribute as a
where a.attidentity <> ''
union all
select 'default', a.attname, '', a.attname, format('alter table %%s alter column %%I drop default', a.attrelid::regclass, a.attname)
from attribute as a
where a.atthasdef and a.attgenerated = ''
union all
select 'never_null', attname, '', attname, ''
from domain
where typtype = 'd' and typnotnull
union all
select 'typed_index', c.relname, '', a.attname, format('drop index if exists %%s', i.indexrelid::regclass)
from subject
join pg_catalog.pg_index as i on i.indrelid = subject.oid
join pg_catalog.pg_class as c on c.oid = i.indexrelid
join pg_catalog.pg_am as m on m.oid = c.relam
cross join unnest(i.indkey::int2[], i.indclass::oid[]) as part (attnum, opclass)
join pg_catalog.pg_opclass as o on o.oid = part.opclass
join attribute as a on a.attnum = part.attnum
where i.indexprs is null
    and i.indpred is null
    and not exists (select 1 from pg_catalog.pg_constraint as con where con.conindid = i.indexrelid)
    and (m.amname not in ('btree', 'hash') or not o.opcdefault)
