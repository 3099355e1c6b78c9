{# The views of the database; parameters: database, schema (unused), table (unused); output: name, text #}
select view_name, sql
from duckdb_views()
where database_name = ? and not internal and ? is not null and ? is not null
