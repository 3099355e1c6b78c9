{# The tables and views of a schema; parameters: database (unused), schema; output: name #}
select name
from pragma_table_list
where ?1 is null and schema = ?2 and name not like 'sqlite_%' and type in ('table', 'view', 'virtual')
order by name
