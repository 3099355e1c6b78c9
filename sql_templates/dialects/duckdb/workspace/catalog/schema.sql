{# Whether a schema exists; parameters: database or null, schema; output: 1 if it does #}
select 1
from duckdb_schemas()
where database_name = coalesce(?, current_database()) and schema_name = ?
limit 1
