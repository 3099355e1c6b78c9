{# Foreign keys that reference the table, including its own; parameters: database, schema, table; output: name, child, removal #}
select constraint_name, table_name, ''
from duckdb_constraints()
where database_name = $1 and schema_name = $2 and constraint_type = 'FOREIGN KEY' and referenced_table = $3
