{# The tables and views of a database; parameters: database (unused), schema; output: name #}
select table_name
from information_schema.tables
where %s is null and table_schema = %s
order by table_name
