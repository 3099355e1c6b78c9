{# Fills the table from the staged one; inputs: table, staged, columns #}
insert into {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
)
select
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ staged | name }}
