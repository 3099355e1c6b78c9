{# The tables and views of all attached databases; output: database (null for the current one), schema (null for the current one), name #}
select
    case when table_catalog <> current_database() then table_catalog end,
    case when table_catalog <> current_database() or table_schema <> current_schema() then table_schema end,
    table_name
from information_schema.tables
where table_catalog not in ('system', 'temp')
