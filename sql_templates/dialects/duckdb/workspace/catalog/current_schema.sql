{# The schema of names without one; output: database, schema #}
select current_database(), current_schema()
