{# Whether a relation can be locked: a table or view of a user that may be read as a whole, with everything that a view reads, by its owner, or by its invoker if declared so; parameters: schema, table; output: 1 if it can, else no row #}
with recursive reading as (
    select
        c.oid,
        c.relkind,
        n.nspname,
        current_user::regrole::oid as reader
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = %s and c.relname = %s
    union
    select
        c.oid,
        c.relkind,
        n.nspname,
        case
            when exists (
                select 1
                from pg_options_to_table(v.reloptions) as o
                where o.option_name = 'security_invoker' and o.option_value::boolean
            ) then current_user::regrole::oid
            else v.relowner
        end
    from reading
    join pg_catalog.pg_class as v on v.oid = reading.oid and v.relkind = 'v'
    join pg_catalog.pg_rewrite as r on r.ev_class = v.oid
    join pg_catalog.pg_depend as d
        on d.classid = 'pg_rewrite'::regclass
        and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass
        and d.refobjid <> v.oid
    join pg_catalog.pg_class as c on c.oid = d.refobjid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
)
select 1
from reading
having count(*) > 0
    and bool_and(relkind not in ('r', 'p', 'v') or has_table_privilege(reader, oid, 'select'))
    and bool_and(nspname not in ('pg_catalog', 'information_schema'))
    and bool_or(relkind in ('r', 'p', 'v') and reader = current_user::regrole::oid)
