{# The table's triggers; parameters: database, schema, table; output: name, text, removal #}
select trigger_name, sql, ''
from duckdb_triggers()
where database_name = ? and schema_name = ? and table_name = ?
