{# Creates an empty temporary table; without null, MariaDB may set a timestamp to the time of the insert; inputs: table, columns (name, type) #}
create temporary table {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }} null{{ "," if not loop.last }}
    {% endfor %}
)
