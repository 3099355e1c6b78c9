{# The columns of a relation in order, hidden ones left out; parameters: database (unused), schema, table; output: name, type, family #}
select name, type, type
from pragma_table_xinfo(?3, ?2)
where hidden <> 1 and ?1 is null
order by cid
