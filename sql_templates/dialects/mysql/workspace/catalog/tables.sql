{# The tables and views of the current database; output: name #}
select table_name
from information_schema.tables
where table_schema = database()
