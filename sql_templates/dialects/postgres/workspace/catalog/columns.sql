{# The columns of a relation in order; parameters: database (unused), schema, table; output: name, type, family (a domain's is its base type's) #}
with recursive attribute as (
    select a.*
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_class as c on c.oid = a.attrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where %s::text is null
        and n.nspname = %s
        and c.relname = %s
        and a.attnum > 0
        and not a.attisdropped
),
base as (
    select a.attnum, t.oid, t.typname, t.typtype, t.typbasetype
    from attribute as a
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    union all
    select base.attnum, t.oid, t.typname, t.typtype, t.typbasetype
    from base
    join pg_catalog.pg_type as t on t.oid = base.typbasetype
    where base.typtype = 'd'
)
select
    a.attname,
    format_type(a.atttypid, a.atttypmod)
        || case
            when a.attcollation <> t.typcollation then format(' collate %%I.%%I', cn.nspname, co.collname)
            else ''
        end,
    case
        when base.typtype = 'e' then 'enum'
        else base.typname
    end
from attribute as a
join base on base.attnum = a.attnum and base.typtype <> 'd'
join pg_catalog.pg_type as t on t.oid = a.atttypid
left join pg_catalog.pg_collation as co on co.oid = a.attcollation
left join pg_catalog.pg_namespace as cn on cn.oid = co.collnamespace
order by a.attnum
