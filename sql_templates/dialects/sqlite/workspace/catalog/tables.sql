{# The tables and views of the database and of attached ones; output: database (unused), schema (null for the main database), name #}
select
    null,
    case when schema <> 'main' then schema end,
    name
from pragma_table_list
where schema <> 'temp' and name not like 'sqlite_%'
