{# Views of any schema that read the table, also through other views; their texts quote and qualify every name; parameters: schema, table; output: name, text #}
with recursive reader as (
    select v.table_schema, v.table_name, v.view_definition
    from information_schema.views as v
    where locate(concat('`', replace(%s, '`', '``'), '`.`', replace(%s, '`', '``'), '`'), v.view_definition) > 0
    union
    select v.table_schema, v.table_name, v.view_definition
    from reader
    join information_schema.views as v
        on locate(concat('`', replace(reader.table_schema, '`', '``'), '`.`', replace(reader.table_name, '`', '``'), '`'), v.view_definition) > 0
)
select table_name, view_definition
from reader
