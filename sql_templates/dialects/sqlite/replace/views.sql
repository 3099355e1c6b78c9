{# The views of the database; parameters: schema, table (unused); output: name, text #}
select name, sql
from sqlite_master
where ?1 = 'main' and ?2 is not null and type = 'view'
