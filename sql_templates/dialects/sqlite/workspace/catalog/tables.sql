{# The tables and views of the database; output: name #}
select name
from pragma_table_list
where schema = 'main' and name not like 'sqlite_%'
