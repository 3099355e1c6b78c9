{# The views of the database; parameters: schema, table; output: name, text, mention, mention of the table #}
select name, sql, name, ?2
from sqlite_master
where ?1 = 'main' and type = 'view'
