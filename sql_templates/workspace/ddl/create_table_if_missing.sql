{# A lasting table of ours, unless it is there; inputs: table, columns (name, type) #}
create table if not exists {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }} {{ column | type }}{{ "," if not loop.last }}
    {% endfor %}
)
