{# The CREATE TABLE statement of the table; parameters: schema, table; output: text #}
select sql
from sqlite_master
where ?1 = 'main' and type = 'table' and name = ?2
