{# Views that read a table or its partitions, also through other views, one row per view and column, nearest first; parameters: schema, table; output: kind, name, detail, column, removal #}
with recursive
{% include "dialects/postgres/replace/subject_partitions.sql" %},
reader as (
    -- a view that names no column, such as one that counts rows, depends on the table as a whole
    select r.ev_class as oid, a.attname, 1 as depth
    from part
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_class'::regclass and d.refobjid = part.oid
    join pg_catalog.pg_rewrite as r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.ev_class <> part.oid
    left join pg_catalog.pg_attribute as a on a.attrelid = part.oid and a.attnum = d.refobjsubid and d.refobjsubid > 0
    union
    select r.ev_class, reader.attname, reader.depth + 1
    from reader
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_class'::regclass and d.refobjid = reader.oid
    join pg_catalog.pg_rewrite as r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.ev_class <> reader.oid
    where reader.depth < 50
)
select
    case c.relkind when 'm' then 'materialized_view' else 'view' end,
    c.relname,
    format('refresh materialized view %%s', c.oid::regclass),
    reader.attname,
    format('drop %%s if exists %%s', case c.relkind when 'm' then 'materialized view' else 'view' end, c.oid::regclass)
from reader
join pg_catalog.pg_class as c on c.oid = reader.oid and c.relkind in ('v', 'm')
order by max(reader.depth) over (partition by reader.oid), reader.oid
