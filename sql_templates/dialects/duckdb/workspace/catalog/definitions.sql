{# The definitions of the database's views; output: name, text #}
select view_name, sql
from duckdb_views()
where not internal
