{# The columns that are a unique key by themselves; parameters: database (unused), schema, table; output: name #}
select min(column_name)
from information_schema.statistics
where %s is null
    and table_schema = %s
    and table_name = %s
    and non_unique = 0
group by index_name
having count(*) = 1
