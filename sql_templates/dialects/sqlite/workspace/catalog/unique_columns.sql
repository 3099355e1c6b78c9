{# The columns that are a unique key by themselves; parameters: database (unused), schema, table; output: name #}
select min(part.name)
from pragma_index_list(?3, ?2) as list
join pragma_index_info(list.name, ?2) as part
where list."unique" = 1 and list.partial = 0 and ?1 is null
group by list.name
having count(*) = 1
union
select min(name)
from pragma_table_info(?3, ?2)
where pk > 0
having count(*) = 1
