{# Rows as bound parameters, one list for each column; inputs: columns (name, type), placeholder; output: the columns #}
select
    {% for column in columns %}
    unnest(cast({{ placeholder }} as {{ column | type }}[])) as {{ column.name | name }}{{ "," if not loop.last }}
    {% endfor %}
