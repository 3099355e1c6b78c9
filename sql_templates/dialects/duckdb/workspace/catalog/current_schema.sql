{# Where a name without a schema is; output: database, schema #}
select current_database(), current_schema()
