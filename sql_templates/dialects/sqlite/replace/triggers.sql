{# The table's triggers; parameters: schema, table; output: name, text, removal #}
select name, sql, ''
from sqlite_master
where ?1 = 'main' and type = 'trigger' and lower(tbl_name) = lower(?2)
