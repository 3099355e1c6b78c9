{# The definitions of the database's views; output: name, text #}
select name, sql
from sqlite_master
where type = 'view'
