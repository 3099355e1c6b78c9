{# A hierarchy that the user keeps in a table, one row per leaf; inputs: table, columns (value, then the levels); output: the columns, decimals as text #}
select
    {% for column in columns %}
    {% if column.kind == "decimal" %}
    cast({{ column.name | name }} as varchar){{ "," if not loop.last }}
    {% else %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from {{ table | name }}
order by {{ columns[0].name | name }}
