{# The generated columns of a table, stored and virtual, each with every column it is computed from; parameters: schema, table; output: name, column or NULL, text (NULL) #}
select g.attname, a.attname, null
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_attribute as g on g.attrelid = c.oid and g.attgenerated <> '' and not g.attisdropped
left join pg_catalog.pg_attrdef as ad on ad.adrelid = g.attrelid and ad.adnum = g.attnum
left join pg_catalog.pg_depend as d
    on d.classid = 'pg_attrdef'::regclass
    and d.objid = ad.oid
    and d.refclassid = 'pg_class'::regclass
    and d.refobjid = g.attrelid
    and d.refobjsubid <> g.attnum
left join pg_catalog.pg_attribute as a on a.attrelid = g.attrelid and a.attnum = d.refobjsubid and a.attnum > 0
where n.nspname = %s and c.relname = %s
