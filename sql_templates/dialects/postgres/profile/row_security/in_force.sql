{# Tables that a relation reads, also through views, whose row security hides rows from the role that is checked there: the owner of a view, or its invoker if declared so; parameters: schema, table; output: table, number of policies in force #}
with recursive reading as (
    select
        c.oid,
        current_user::regrole::oid as reader
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = %s and c.relname = %s
    union
    select
        d.refobjid,
        case
            when coalesce(options.security_invoker, 'false')::boolean then current_user::regrole::oid
            else v.relowner
        end
    from reading
    join pg_catalog.pg_class as v on v.oid = reading.oid and v.relkind in ('v', 'm')
    join pg_catalog.pg_rewrite as r on r.ev_class = v.oid
    join pg_catalog.pg_depend as d
        on d.classid = 'pg_rewrite'::regclass
        and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass
        and d.refobjid <> v.oid
    left join lateral (
        select o.option_value as security_invoker
        from pg_options_to_table(v.reloptions) as o
        where o.option_name = 'security_invoker'
    ) as options on true
)
select
    t.oid::regclass::text,
    count(distinct p.oid)
from reading
join pg_catalog.pg_class as t on t.oid = reading.oid and t.relkind in ('r', 'p') and t.relrowsecurity
join pg_catalog.pg_roles as u on u.oid = reading.reader
left join pg_catalog.pg_policy as p
    on p.polrelid = t.oid
    and p.polcmd in ('r', '*')
    and exists (
        select 1
        from unnest(p.polroles) as granted (role)
        where granted.role = 0 or pg_has_role(reading.reader, granted.role, 'usage')
    )
where not u.rolsuper
    and not u.rolbypassrls
    and (t.relforcerowsecurity or not pg_has_role(reading.reader, t.relowner, 'usage'))
group by t.oid
