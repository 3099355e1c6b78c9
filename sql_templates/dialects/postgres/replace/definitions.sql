{# How the table, its columns in order and its dependent objects are defined, to detect later changes; parameters: schema, table; output: kind, name, definition #}
with
{% include "dialects/postgres/replace/subject.sql" %},
defined as (
    select
        0 as ordinal,
        'table' as kind,
        s.relname::text as name,
        concat_ws(
            ' ', s.oid, s.relkind, s.relpersistence, s.relowner, s.relreplident, s.relrowsecurity, s.relforcerowsecurity,
            pg_get_partkeydef(s.oid)
        ) as definition
    from subject as s
    union all
    select
        a.attnum,
        'column',
        a.attname,
        concat_ws(
            ' ', a.atttypid, format_type(a.atttypid, a.atttypmod), a.attcollation, a.attnotnull,
            a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)
        )
    from subject as s
    join pg_catalog.pg_attribute as a on a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped
    left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    union all
    select
        0,
        case
            when con.conrelid <> s.oid then 'incoming_key'
            when con.contype = 'f' then 'outgoing_key'
            when con.contype in ('c', 'x') then 'check'
            else 'unique'
        end,
        con.conname,
        pg_get_constraintdef(con.oid)
    from subject as s
    join pg_catalog.pg_constraint as con on s.oid in (con.conrelid, con.confrelid)
    where con.contype in ('f', 'c', 'x', 'u', 'p') and (con.conrelid = s.oid or con.conparentid = 0)
    union all
    select 0, {% include "dialects/postgres/replace/index_kind.sql" %}, c.relname, pg_get_indexdef(i.indexrelid)
    from subject as s
    join pg_catalog.pg_index as i on i.indrelid = s.oid
    join pg_catalog.pg_class as c on c.oid = i.indexrelid
    union all
    select 0, 'rule', r.rulename, pg_get_ruledef(r.oid)
    from subject as s
    join pg_catalog.pg_rewrite as r on r.ev_class = s.oid
    union all
    select 0, 'trigger', t.tgname, concat(t.tgenabled, pg_get_triggerdef(t.oid))
    from subject as s
    join pg_catalog.pg_trigger as t on t.tgrelid = s.oid and not t.tgisinternal
    union all
    select
        0,
        'policy',
        p.polname,
        concat_ws(
            ' ', p.polcmd, p.polpermissive, p.polroles::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
        )
    from subject as s
    join pg_catalog.pg_policy as p on p.polrelid = s.oid
    union all
    select 0, 'partition', i.inhrelid::regclass::text, pg_get_expr(c.relpartbound, c.oid)
    from subject as s
    join pg_catalog.pg_inherits as i on i.inhparent = s.oid
    join pg_catalog.pg_class as c on c.oid = i.inhrelid
    union all
    select 0, case c.relkind when 'm' then 'materialized_view' else 'view' end, c.relname, pg_get_viewdef(c.oid)
    from subject as s
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_class'::regclass and d.refobjid = s.oid
    join pg_catalog.pg_rewrite as r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid and r.ev_class <> s.oid
    join pg_catalog.pg_class as c on c.oid = r.ev_class
)
select kind, name, definition
from defined
order by ordinal, kind, name, definition
