{# What the views of the database read; output: name, text #}
select name, sql
from sqlite_master
where type = 'view'
