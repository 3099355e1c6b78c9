{# The highest number that AUTOINCREMENT has assigned; parameters: table; output: seq #}
select seq
from sqlite_sequence
where name = ?1
