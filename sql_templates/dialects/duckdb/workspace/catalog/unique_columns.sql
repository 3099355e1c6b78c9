{# The columns that are a unique key by themselves; parameters: database, schema, table; output: name #}
select constraint_column_names[1]
from duckdb_constraints()
where database_name = $1 and schema_name = $2 and table_name = $3
    and constraint_type in ('PRIMARY KEY', 'UNIQUE')
    and len(constraint_column_names) = 1
union
select c.column_name
from duckdb_indexes() as i
join duckdb_columns() as c
    on c.database_name = i.database_name and c.schema_name = i.schema_name and c.table_name = i.table_name
where i.database_name = $1 and i.schema_name = $2 and i.table_name = $3
    and i.is_unique
    and translate(i.expressions, '"''', '') = '[' || translate(c.column_name, '"''', '') || ']'
