{# The definitions of the database's views, and the parts of partitioned tables; output: name, text #}
select c.relname, pg_get_viewdef(c.oid)
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
union all
select parent.relname, child.relname
from pg_catalog.pg_inherits as i
join pg_catalog.pg_class as parent on parent.oid = i.inhparent
join pg_catalog.pg_class as child on child.oid = i.inhrelid
