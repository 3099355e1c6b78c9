{# The table's triggers; parameters: schema, table; output: name, text, removal #}
select
    trigger_name,
    action_statement,
    concat('drop trigger `', replace(trigger_schema, '`', '``'), '`.`', replace(trigger_name, '`', '``'), '`')
from information_schema.triggers
where event_object_schema = %s and event_object_table = %s
order by trigger_name
