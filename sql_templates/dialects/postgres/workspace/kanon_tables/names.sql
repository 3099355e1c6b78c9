{# Tables of kanon_sql in all schemas; output: schema, table #}
select n.nspname, c.relname
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relpersistence <> 't'
    and (left(c.relname, 8) = '__kanon_' or c.relname = 'kanon_runs')
    and has_table_privilege(c.oid, 'select')
order by n.nspname, c.relname
