{# The text of a table with generated columns, which has their expressions; of a table in an attached database, whose text is not at hand, each generated column with every other column; parameters: schema, table; output: name, column, text of the table (name and column are NULL then) #}
select null, null, sql
from sqlite_master
where ?1 = 'main' and type = 'table' and name = ?2
    and exists (select 1 from pragma_table_xinfo(?2, ?1) where hidden in (2, 3))
union all
select g.name, c.name, null
from pragma_table_xinfo(?2, ?1) as g
join pragma_table_xinfo(?2, ?1) as c on c.name <> g.name
where ?1 <> 'main' and g.hidden in (2, 3)
