{# Fills the table from the staging table; inputs: table, staged, columns #}
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
