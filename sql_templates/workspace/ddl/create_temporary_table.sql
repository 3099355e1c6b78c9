{# Creates an empty temporary table; inputs: table, columns (name, type) #}
create temporary table {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }}{{ "," if not loop.last }}
    {% endfor %}
)
