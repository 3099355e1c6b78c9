{# Fills a table from a query; inputs: table, columns (name), select #}
insert into {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
)
{{ select }}
