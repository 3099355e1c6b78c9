{# Whether a schema exists; parameters: database (unused), schema; output: 1 if it does #}
select 1
from pragma_database_list
where ?1 is null and name = ?2
