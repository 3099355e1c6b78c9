{# The columns of a table that models use, for engines where a statement can read it only once; inputs: table, columns; output: the columns #}
select
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
