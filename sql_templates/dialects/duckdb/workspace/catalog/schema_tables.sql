{# The tables and views of a schema, which may be named with its database; parameters: database or null, schema; output: name #}
select table_name
from information_schema.tables
where table_catalog = coalesce(?, current_database()) and table_schema = ?
order by table_name
