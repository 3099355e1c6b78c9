{# The tables whose foreign keys point to a table; parameters: database (unused), schema, table; output: name #}
select distinct table_name
from information_schema.referential_constraints
where %s is null
    and unique_constraint_schema = %s
    and referenced_table_name = %s
