{# Fills the table from the staging table, identity columns too; inputs: table, staged, columns #}
insert into {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
)
overriding system value
select
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ staged | name }}
