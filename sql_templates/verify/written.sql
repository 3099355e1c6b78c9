{# The columns of a table that models look at, where it can be read only once in a statement; inputs: table, columns; output: the columns #}
select
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
