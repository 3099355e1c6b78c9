{# The file that the current database is, none in memory; output: path #}
select max(path) as path
from duckdb_databases()
where database_name = current_database()
