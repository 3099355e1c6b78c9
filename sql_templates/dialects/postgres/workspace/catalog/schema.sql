{# Whether a schema exists; parameters: database (unused), schema; output: 1 if it does #}
select 1
from pg_catalog.pg_namespace
where coalesce(%s::text, current_database()) = current_database() and nspname = %s
