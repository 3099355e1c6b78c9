{# The definitions of the views and functions of the server; output: schema that views name it with, whether an unqualified name may mean it, name, whether it is a function, text, whether its owner declares that it returns varying values #}
select
    table_schema,
    table_schema <=> database(),
    table_name,
    false,
    view_definition,
    false
from information_schema.views
where table_schema not in ('mysql', 'sys', 'information_schema', 'performance_schema')
union all
select
    routine_schema,
    routine_schema <=> database(),
    routine_name,
    true,
    null,
    is_deterministic = 'NO'
from information_schema.routines
where routine_type = 'FUNCTION' and routine_schema not in ('mysql', 'sys')
