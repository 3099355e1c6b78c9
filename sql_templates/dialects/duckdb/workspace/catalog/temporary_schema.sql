{# The schema of temporary tables; output: database, schema #}
select 'temp', 'main'
