{# The schema of this session's temporary tables; output: database, schema #}
select null, nspname
from pg_catalog.pg_namespace
where oid = pg_my_temp_schema()
