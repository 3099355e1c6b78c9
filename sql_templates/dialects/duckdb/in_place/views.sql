{# The views of the database; parameters: database, schema (unused), table; output: name, text, mention, mention of the table #}
select view_name, sql, view_name, $3
from duckdb_views()
where database_name = $1 and not internal and $2 is not null
