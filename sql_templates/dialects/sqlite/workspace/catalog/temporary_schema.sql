{# The schema of temporary tables; output: database, schema #}
select null, 'temp'
