{# Foreign keys of other tables that reference the table; parameters: schema, table; output: name, child, removal #}
select
    constraint_name,
    concat(constraint_schema, '.', table_name),
    concat('alter table `', replace(constraint_schema, '`', '``'), '`.`', replace(table_name, '`', '``'), '` drop foreign key if exists `', replace(constraint_name, '`', '``'), '`')
from information_schema.referential_constraints
where unique_constraint_schema = %s
    and referenced_table_name = %s
    and not (constraint_schema = unique_constraint_schema and table_name = referenced_table_name)
order by constraint_name
