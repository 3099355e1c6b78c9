{# Where a name without a schema is; output: database, schema #}
select null, current_schema()
