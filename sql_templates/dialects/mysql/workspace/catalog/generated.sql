{# The generated columns of a table, each with every column whose quoted name is in its expression; parameters: schema, table; output: name, column or NULL, text (NULL) #}
select g.column_name, c.column_name, null
from information_schema.columns as g
left join information_schema.columns as c
    on c.table_schema = g.table_schema
    and c.table_name = g.table_name
    and c.column_name <> g.column_name
    and locate(concat('`', replace(lower(c.column_name), '`', '``'), '`'), lower(g.generation_expression)) > 0
where g.table_schema = %s and g.table_name = %s and g.is_generated = 'ALWAYS'
