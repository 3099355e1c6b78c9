{# The empty staged table; a timestamp that is not said to be nullable may become the time of the insert here; inputs: table, columns (name, type) #}
create table {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }} null{{ "," if not loop.last }}
    {% endfor %}
)
