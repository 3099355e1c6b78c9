{# Objects that depend on a table, except views, generated columns and partitions, one row per object and column; parameters: schema, table; output: kind, name, detail, column, removal #}
with
{% include "dialects/postgres/replace/subject_columns.sql" %},
columned as (
    select d.classid, d.objid, a.attname
    from attribute as a
    join pg_catalog.pg_depend as d
        on d.refclassid = 'pg_class'::regclass and d.refobjid = a.attrelid and d.refobjsubid = a.attnum
)
select
    'incoming_key' as kind,
    con.conname::text as name,
    con.conrelid::regclass::text as detail,
    null::text as column_name,
    format('alter table %%s drop constraint %%I', con.conrelid::regclass, con.conname) as removal
from subject
join pg_catalog.pg_constraint as con on con.confrelid = subject.oid and con.conrelid <> subject.oid
where con.contype = 'f' and con.conparentid = 0
union all
select
    case con.contype when 'f' then 'outgoing_key' when 'c' then 'check' when 'x' then 'check' else 'unique' end,
    con.conname,
    '',
    a.attname,
    format('alter table %%s drop constraint %%I', con.conrelid::regclass, con.conname)
from attribute as a
join pg_catalog.pg_constraint as con on con.conrelid = a.attrelid and a.attnum = any (con.conkey)
where con.contype in ('f', 'c', 'x', 'u', 'p')
union all
select
    {% include "dialects/postgres/replace/index_kind.sql" %},
    c.relname,
    '',
    columned.attname,
    format('drop index if exists %%s', i.indexrelid::regclass)
from subject
join pg_catalog.pg_index as i on i.indrelid = subject.oid
join pg_catalog.pg_class as c on c.oid = i.indexrelid
join columned on columned.classid = 'pg_class'::regclass and columned.objid = i.indexrelid
where not exists (select 1 from pg_catalog.pg_constraint as con where con.conindid = i.indexrelid and con.conrelid = subject.oid)
union all
select 'rule', r.rulename, '', null, format('drop rule %%I on %%s', r.rulename, subject.oid::regclass)
from subject
join pg_catalog.pg_rewrite as r on r.ev_class = subject.oid
union all
select
    'trigger',
    t.tgname,
    case t.tgenabled when 'D' then '' else format(
        'alter table %%s enable %%strigger %%I',
        subject.oid::regclass,
        case t.tgenabled when 'A' then 'always ' when 'R' then 'replica ' else '' end,
        t.tgname
    ) end,
    columned.attname,
    format('drop trigger %%I on %%s', t.tgname, subject.oid::regclass)
from subject
join pg_catalog.pg_trigger as t on t.tgrelid = subject.oid and not t.tgisinternal
left join columned on columned.classid = 'pg_trigger'::regclass and columned.objid = t.oid
union all
select 'policy', p.polname, '', columned.attname, format('drop policy %%I on %%s', p.polname, subject.oid::regclass)
from subject
join pg_catalog.pg_policy as p on p.polrelid = subject.oid
join columned on columned.classid = 'pg_policy'::regclass and columned.objid = p.oid
union all
select 'function', f.proname, '', columned.attname, format('drop function %%s', f.oid::regprocedure)
from columned
join pg_catalog.pg_proc as f on columned.classid = 'pg_proc'::regclass and columned.objid = f.oid
union all
select 'publication', p.pubname, '', columned.attname, format('alter publication %%I drop table %%s', p.pubname, pr.prrelid::regclass)
from columned
join pg_catalog.pg_publication_rel as pr on columned.classid = 'pg_publication_rel'::regclass and columned.objid = pr.oid
join pg_catalog.pg_publication as p on p.oid = pr.prpubid
union all
select 'row_security', subject.oid::regclass::text, '', null, ''
from subject
where row_security_active(subject.oid)
