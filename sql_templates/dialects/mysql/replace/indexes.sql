{# Returns no rows: indexes are part of the CREATE TABLE statement on MariaDB; parameters: schema, table; output: name, is_unique, text #}
select null, null, null
from information_schema.schemata
where schema_name = %s and schema_name = %s and 1 = 0
