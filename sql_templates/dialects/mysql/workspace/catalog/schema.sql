{# Whether a database exists; parameters: database (unused), schema; output: 1 if it does #}
select 1
from information_schema.schemata
where %s is null and schema_name = %s
