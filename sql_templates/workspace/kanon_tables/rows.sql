{# Everything a table of ours says; inputs: table, columns; output: the columns #}
select
    {% for column in columns %}
    {{ column | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
