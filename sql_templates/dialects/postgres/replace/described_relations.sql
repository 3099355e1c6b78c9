{# The relations whose statistics describe a table's rows: the table, its partitions, the materialized views that read them, and the indexes of these; parameters: schema, table; output: oid, schema, name, whether it is a materialized view #}
with recursive
{% include "dialects/postgres/replace/subject_partitions.sql" %},
reader as (
    select oid
    from part
    union
    select view.oid
    from reader
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_class'::regclass and d.refobjid = reader.oid
    join pg_catalog.pg_rewrite as r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
    join pg_catalog.pg_class as view on view.oid = r.ev_class and view.relkind in ('v', 'm')
),
relation as (
    select oid
    from reader
    union
    select i.indexrelid
    from reader
    join pg_catalog.pg_index as i on i.indrelid = reader.oid
)
select c.oid, n.nspname, c.relname, c.relkind = 'm'
from relation
join pg_catalog.pg_class as c on c.oid = relation.oid and c.relkind <> 'v'
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
order by c.oid
