{# Whether this version of DuckDB has triggers; output: 1 if it does #}
select 1
from duckdb_functions()
where function_name = 'duckdb_triggers'
limit 1
