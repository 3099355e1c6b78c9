{# The tables and views of all databases but the server's own; output: database (unused), schema (null for the current database), name #}
select
    null,
    case when table_schema <> coalesce(database(), '') then table_schema end,
    table_name
from information_schema.tables
where table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys')
