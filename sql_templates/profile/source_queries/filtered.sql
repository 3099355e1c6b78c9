{# The rows of a table that satisfy a condition written by the user; inputs: table, columns, condition; output: the columns #}
select
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
where (
{{ condition | written }}
)
