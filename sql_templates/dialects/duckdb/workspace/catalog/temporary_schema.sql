{# Where temporary tables are; output: database, schema #}
select 'temp', 'main'
