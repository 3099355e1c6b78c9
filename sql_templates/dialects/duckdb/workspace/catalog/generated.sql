{# The text of a table with generated columns, which has their expressions; parameters: database, schema, table; output: name (NULL), column (NULL), text of the table #}
select null, null, sql
from duckdb_tables()
where database_name = ? and schema_name = ? and table_name = ?
    and sql like '%GENERATED ALWAYS AS%'
