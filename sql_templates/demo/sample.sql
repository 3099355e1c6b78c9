{# A few rows of generated data, the same ones for the same data; inputs: table, columns, rows; output: the columns #}
select
    {% for column in columns %}
    {{ column | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ table | name }}
order by hash(
    {% for column in columns %}
    {{ column | name }}{{ "," if not loop.last }}
    {% endfor %}
)
limit {{ rows | number }}
