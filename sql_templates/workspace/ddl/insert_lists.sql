{# Loads rows as bound parameters, one list for each column; inputs: table, columns (name, type), placeholder #}
insert into {{ table | name }} (
    {% for column in columns %}
    {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
)
select
    {% for column in columns %}
    unnest(cast({{ placeholder }} as {{ column | type }}[])){{ "," if not loop.last }}
    {% endfor %}
