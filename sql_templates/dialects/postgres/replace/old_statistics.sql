{# Statistics that exist before ANALYZE, or that this user may not see; parameters: relations (oids); output: oid, inherited, relation, column, whether ANALYZE always replaces them given rows, statements that set the column's target to the default and back to 0 where it is 0 #}
with attribute as (
    select
        c.oid,
        c.relkind,
        c.relname,
        n.nspname,
        a.attname,
        a.attnum,
        coalesce(a.attstattarget, -1) = 0 as is_off,
        has_column_privilege(c.oid, a.attnum, 'select') and not row_security_active(c.oid) as is_visible,
        not exists (
            select 1
            from pg_catalog.pg_type as t
            join pg_catalog.pg_proc as f on f.oid = t.typanalyze
            where t.oid = a.atttypid and f.pronamespace <> 'pg_catalog'::regnamespace
        ) as is_standard,
        case
            when c.relkind in ('i', 'I') or not pg_has_role(c.relowner, 'usage') then null
            when c.relkind = 'm' then format('alter materialized view %%s alter column %%I set statistics ', c.oid::regclass, a.attname)
            else format('alter table only %%s alter column %%I set statistics ', c.oid::regclass, a.attname)
        end as setting
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.oid = any (%s::oid[])
)
select
    attribute.oid,
    coalesce(s.inherited, attribute.relkind = 'p'),
    format('%%s.%%s', attribute.nspname, attribute.relname),
    attribute.attname,
    -- a session keeps the target of an index that it has read, even if the target changes later
    attribute.is_standard and not (attribute.is_off and attribute.setting is null),
    case when attribute.is_off then attribute.setting || '-1' end,
    case when attribute.is_off then attribute.setting || '0' end
from attribute
left join pg_catalog.pg_stats as s
    on s.schemaname = attribute.nspname and s.tablename = attribute.relname and s.attname = attribute.attname
where s.attname is not null or not attribute.is_visible
order by attribute.oid, attribute.attnum
