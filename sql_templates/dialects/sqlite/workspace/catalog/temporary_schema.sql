{# Where temporary tables are; output: database, schema #}
select null, 'temp'
