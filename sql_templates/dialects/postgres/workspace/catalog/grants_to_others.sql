{# Statements that revoke every right on a table from all users except its owner; parameters: schema, table; output: statement #}
select format('revoke all on %%s from %%s', c.oid::regclass, case acl.grantee when 0 then 'public' else acl.grantee::regrole::text end)
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join aclexplode(c.relacl) as acl
where n.nspname = %s and c.relname = %s and acl.grantee <> c.relowner
group by c.oid, acl.grantee
