{# The columns of a relation in order; parameters: database, schema, table; output: name, type, family #}
select column_name, data_type, data_type
from duckdb_columns()
where database_name = ? and schema_name = ? and table_name = ?
order by column_index
