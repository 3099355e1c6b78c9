{# Whether the database counts for AUTOINCREMENT; output: 1 if it does #}
select 1
from sqlite_master
where name = 'sqlite_sequence'
