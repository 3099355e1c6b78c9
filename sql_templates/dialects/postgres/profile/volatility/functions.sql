{# The functions that a view calls, directly and through other views, as PostgreSQL has resolved them: functions, operators, casts, aggregates and samples; parameters: schema (or null for a temporary view), view; output: view, function, whether it is volatile, whether it comes with PostgreSQL, extension (or null) #}
with recursive asked as (
    select c.oid
    from pg_catalog.pg_class as c
    where c.relnamespace = coalesce(
            (select n.oid from pg_catalog.pg_namespace as n where n.nspname = %s::text),
            pg_catalog.pg_my_temp_schema()
        )
        and c.relname = %s::text
        and c.relkind = 'v'
),
reached as (
    select oid
    from asked
    union
    select c.oid
    from reached
    join pg_catalog.pg_rewrite as r on r.ev_class = reached.oid
    join pg_catalog.pg_depend as d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = r.oid
    join pg_catalog.pg_class as c on d.refclassid = 'pg_catalog.pg_class'::regclass and c.oid = d.refobjid
    where c.relkind = 'v'
),
bodies as (
    select
        r.ev_class,
        r.ev_action::text as tree
    from reached
    join pg_catalog.pg_rewrite as r on r.ev_class = reached.oid
    where r.ev_type = '1'
),
called as (
    select distinct
        b.ev_class,
        found.parts[1]::oid as function
    from bodies as b
    cross join lateral pg_catalog.regexp_matches(b.tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)', 'g') as found (parts)
)
select
    c.relname,
    p.proname,
    p.provolatile = 'v',
    p.oid < 16384,
    e.extname
from called
join pg_catalog.pg_class as c on c.oid = called.ev_class
join pg_catalog.pg_proc as p on p.oid = called.function
left join pg_catalog.pg_depend as d
    on d.classid = 'pg_catalog.pg_proc'::regclass
    and d.objid = p.oid
    and d.deptype = 'e'
    and d.refclassid = 'pg_catalog.pg_extension'::regclass
left join pg_catalog.pg_extension as e on e.oid = d.refobjid
union all
select
    c.relname,
    'tablesample',
    true,
    true,
    null
from bodies as b
join pg_catalog.pg_class as c on c.oid = b.ev_class
where b.tree like '%%:repeatable <>%%'
order by 1, 2
