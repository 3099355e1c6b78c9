{# The distinct combinations of a table's columns, byte for byte; inputs: table, columns, size (what their count is called); output: v_1, v_2 …, their count #}
select
    {% for column in columns %}
    {{ column | exact }} as {{ "v" | numbered(loop.index) }},
    {% endfor %}
    count(*) as {{ size | name }}
from {{ table | name }}
group by
    {% for column in columns %}
    {{ column | exact }}{{ "," if not loop.last }}
    {% endfor %}
