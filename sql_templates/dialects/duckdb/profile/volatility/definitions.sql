{# The definitions of the views and macros of the database; output: schema that views name it with (or null), whether an unqualified name may mean it, name, whether it is a function, text, whether its owner declares that it returns varying values #}
select
    null,
    true,
    view_name,
    false,
    sql,
    false
from duckdb_views()
where not internal
union all
select
    null,
    true,
    function_name,
    true,
    macro_definition,
    false
from duckdb_functions()
where not internal
