{# A hierarchy from a table, one row per leaf; inputs: table, columns (value, then the levels); output: the columns, decimals and timestamps as text, in the byte order of the values #}
select
    {% for column in columns %}
    {% if column.kind in ("decimal", "timestamp") %}
    cast({{ column.name | name }} as varchar){{ "," if not loop.last }}
    {% else %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from {{ table | name }}
order by {{ columns[0] | exact }}
