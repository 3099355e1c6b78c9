{# A few rows of generated data; inputs: table, columns, rows; output: the columns #}
select
    {% for column in columns %}
    {{ column | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
order by random()
limit {{ rows | number }}
