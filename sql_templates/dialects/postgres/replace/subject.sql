{#- The table as a common table expression; parameters: schema, table; output: subject (its row of pg_class) -#}
subject as (
    select c.*
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = %s and c.relname = %s
)
