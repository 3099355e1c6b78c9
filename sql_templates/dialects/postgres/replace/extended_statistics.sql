{# Statistics objects of relations; parameters: relations (oids); output: name, whether this user may drop and create the object, the statement that drops it, statements that create it with the same definition, target, comment and owner #}
with me as (
    select oid, rolsuper
    from pg_catalog.pg_roles
    where rolname = current_user
),
object as (
    select
        s.*,
        c.relowner,
        coalesce(s.stxstattarget, -1) as target,
        format('%%I.%%I', n.nspname, s.stxname) as name,
        obj_description(s.oid, 'pg_statistic_ext') as remark
    from pg_catalog.pg_statistic_ext as s
    join pg_catalog.pg_class as c on c.oid = s.stxrelid
    join pg_catalog.pg_namespace as n on n.oid = s.stxnamespace
    where s.stxrelid = any (%s::oid[])
)
select
    name,
    pg_has_role(relowner, 'usage')
        and pg_has_role(stxowner, 'usage')
        and has_schema_privilege(stxnamespace, 'create')
        and (me.rolsuper or has_schema_privilege(stxowner, stxnamespace, 'create')),
    format('drop statistics %%s', name),
    array_remove(array[
        pg_get_statisticsobjdef(object.oid),
        case when target >= 0 then format('alter statistics %%s set statistics %%s', name, target) end,
        case when remark is not null then format('comment on statistics %%s is %%L', name, remark) end,
        case when stxowner <> me.oid then format('alter statistics %%s owner to %%s', name, stxowner::regrole) end
    ], null)
from object
cross join me
order by object.oid
