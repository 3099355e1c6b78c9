{# The tables and views of the current schema; output: name #}
select table_name
from information_schema.tables
where table_schema = current_schema()
