{# Views of any schema, whose texts name tables in full, and how texts name the table and each of them; parameters: schema, table; output: name, text, mention, mention of the table #}
with asked as (
    select concat('`', replace(%s, '`', '``'), '`.`', replace(%s, '`', '``'), '`') as mention
)
select
    v.table_name,
    v.view_definition,
    concat('`', replace(v.table_schema, '`', '``'), '`.`', replace(v.table_name, '`', '``'), '`'),
    asked.mention
from information_schema.views as v
cross join asked
where v.table_schema <> 'sys'
