{# An empty table of the run; a timestamp that is not said to be nullable may become the time of the insert here; inputs: table, columns (name, type) #}
create temporary table {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }} null{{ "," if not loop.last }}
    {% endfor %}
)
