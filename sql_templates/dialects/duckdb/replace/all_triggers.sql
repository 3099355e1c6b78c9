{# Every trigger of a database; parameters: database; output: schema, text #}
select schema_name, sql
from duckdb_triggers()
where database_name = ?
