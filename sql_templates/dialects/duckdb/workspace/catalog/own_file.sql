{# The file of the current database, null in memory; output: path #}
select max(path) as path
from duckdb_databases()
where database_name = current_database()
