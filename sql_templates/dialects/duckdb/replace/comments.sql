{# The comments on the table's columns; parameters: database, schema, table; output: column, comment #}
select column_name, comment
from duckdb_columns()
where database_name = ? and schema_name = ? and table_name = ? and comment is not null
