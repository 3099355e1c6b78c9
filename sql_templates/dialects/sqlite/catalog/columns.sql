{# The columns of a relation in order, hidden ones left out; parameters: database (unused), schema, table; output: name, type, family, nullable #}
select name, type, type, "notnull" = 0
from pragma_table_xinfo(?3, ?2)
where hidden <> 1 and ?1 is null
order by cid
