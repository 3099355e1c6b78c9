{# Foreign keys of other tables that reference the table, named after their own table; parameters: schema, table; output: name, child, removal #}
select distinct child.name, child.name, ''
from sqlite_master as child
join pragma_foreign_key_list(child.name) as key
where ?1 = 'main' and child.type = 'table' and lower(key."table") = lower(?2) and lower(child.name) <> lower(?2)
