{# The columns that are a key on their own; parameters: database, schema, table; output: name #}
select constraint_column_names[1]
from duckdb_constraints()
where database_name = ? and schema_name = ? and table_name = ?
    and constraint_type in ('PRIMARY KEY', 'UNIQUE')
    and len(constraint_column_names) = 1
