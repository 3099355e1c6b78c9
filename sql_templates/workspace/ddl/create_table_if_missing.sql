{# Creates a permanent table unless it exists; inputs: table, columns (name, type) #}
create table if not exists {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }}{{ "," if not loop.last }}
    {% endfor %}
)
