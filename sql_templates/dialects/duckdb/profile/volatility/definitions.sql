{# What views and macros of the database are made of; output: schema that views name it with or null, whether a name without one may mean it, name, whether it is a function, text, whether its owner says that it gives other values #}
select null, true, view_name, false, sql, false
from duckdb_views()
where not internal
union all
select null, true, function_name, true, macro_definition, false
from duckdb_functions()
where not internal
