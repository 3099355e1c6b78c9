{# The columns of a relation in order; parameters: database (unused), schema, table; output: name, type, family, nullable #}
select
    a.attname,
    format_type(a.atttypid, a.atttypmod)
        || case
            when a.attcollation <> t.typcollation
            then format(' collate %%I.%%I', cn.nspname, co.collname)
            else ''
        end,
    case
        when coalesce(base.typtype, t.typtype) = 'e' then 'enum'
        else coalesce(base.typname, t.typname)
    end,
    not a.attnotnull
from pg_catalog.pg_attribute as a
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_type as t on t.oid = a.atttypid
left join pg_catalog.pg_type as base on base.oid = t.typbasetype and t.typtype = 'd'
left join pg_catalog.pg_collation as co on co.oid = a.attcollation
left join pg_catalog.pg_namespace as cn on cn.oid = co.collnamespace
where %s::text is null
    and n.nspname = %s
    and c.relname = %s
    and a.attnum > 0
    and not a.attisdropped
order by a.attnum
