{# Statistics objects of a table and its partitions, one row per object and column; parameters: schema, table; output: kind, name, detail, column, removal #}
with
{% include "dialects/postgres/replace/subject_partitions.sql" %}

select
    case when s.stxexprs is null then 'statistics' else 'expression_statistics' end,
    s.stxname,
    '',
    a.attname,
    format('drop statistics %%I.%%I', n.nspname, s.stxname)
from part
join pg_catalog.pg_statistic_ext as s on s.stxrelid = part.oid
join pg_catalog.pg_namespace as n on n.oid = s.stxnamespace
join pg_catalog.pg_depend as d
    on d.classid = 'pg_statistic_ext'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass and d.refobjid = part.oid
join pg_catalog.pg_attribute as a on a.attrelid = part.oid and a.attnum = d.refobjsubid
