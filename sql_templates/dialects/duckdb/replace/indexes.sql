{# The table's indexes that were created by CREATE INDEX; parameters: database, schema, table; output: name, is_unique, text #}
select index_name, is_unique, sql
from duckdb_indexes()
where database_name = ? and schema_name = ? and table_name = ? and sql is not null
