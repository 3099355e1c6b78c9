{# How the table is written; parameters: schema, table; output: text #}
select sql
from sqlite_master
where ?1 = 'main' and type = 'table' and name = ?2
