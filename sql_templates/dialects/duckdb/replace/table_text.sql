{# The CREATE TABLE statement of the table; parameters: database, schema, table; output: text, comment #}
select sql, comment
from duckdb_tables()
where database_name = ? and schema_name = ? and table_name = ?
