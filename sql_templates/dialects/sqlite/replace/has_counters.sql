{# Whether the database has AUTOINCREMENT counters; output: 1 if it does #}
select 1
from sqlite_master
where name = 'sqlite_sequence'
