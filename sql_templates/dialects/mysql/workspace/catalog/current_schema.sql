{# The schema of names without one; output: database, schema #}
select null, database()
