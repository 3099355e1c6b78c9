{# The versions of DuckDB that can read an attached database; parameters: database; output: versions #}
select tags['storage_version']
from duckdb_databases()
where database_name = ?
