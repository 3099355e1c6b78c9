{# What the views of the database read; output: name, text #}
select view_name, sql
from duckdb_views()
where not internal
