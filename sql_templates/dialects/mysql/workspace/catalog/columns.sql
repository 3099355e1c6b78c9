{# The columns of a relation in order, JSON recognized by the check that MariaDB adds; parameters: database (unused), schema, table; output: name, type, family #}
with asked as (
    select
        %s as in_database,
        %s as in_schema,
        %s as relation
)
select
    c.column_name,
    concat(
        c.column_type,
        coalesce(concat(' character set ', c.character_set_name), ''),
        coalesce(concat(' collate ', c.collation_name), '')
    ),
    case
        when j.constraint_name is not null then 'json'
        when c.column_type = 'tinyint(1)' then 'boolean'
        else c.data_type
    end
from asked
join information_schema.columns as c
    on c.table_schema = asked.in_schema
    and c.table_name = asked.relation
left join information_schema.check_constraints as j
    on j.constraint_schema = asked.in_schema
    and j.table_name = asked.relation
    and j.level = 'Column'
    and j.constraint_name = c.column_name
    and j.check_clause like 'json_valid(%%'
where asked.in_database is null
order by c.ordinal_position
