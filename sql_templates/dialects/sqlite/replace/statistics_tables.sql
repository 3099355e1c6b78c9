{# The tables in which ANALYZE keeps statistics, some of them with samples of indexed values; output: name #}
select name
from sqlite_master
where type = 'table' and name in ('sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4')
