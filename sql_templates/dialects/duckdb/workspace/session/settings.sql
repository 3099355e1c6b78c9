{# The current values of settings; parameters: their names, as a list; output: name, value, scope (LOCAL if set for this connection) #}
select name, value, scope
from duckdb_settings()
where list_contains(?, name)
