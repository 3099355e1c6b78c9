{# Creates an empty table; inputs: table, columns (name, type) #}
create table {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }}{{ "," if not loop.last }}
    {% endfor %}
)
