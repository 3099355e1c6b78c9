{# Every row of a table of kanon_sql; inputs: table, columns; output: the columns #}
select
    {% for column in columns %}
    {{ column | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
