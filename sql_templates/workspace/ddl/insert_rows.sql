{# Loads rows as bound parameters; inputs: table, columns (name), rows (number), placeholder #}
insert into {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
)
values
    {% for row in range(rows) %}
    ({% for column in columns %}{{ placeholder }}{{ "," if not loop.last }}{% endfor %}){{ "," if not loop.last }}
    {% endfor %}
