{# Distinct cells of a released quasi-identifier; inputs: classes, columns (its columns in classes, with the names label, or low and high); output: span (a number), label or low and high, row_count #}
select
    row_number() over (
        order by
            {% for column, name in columns %}
            {{ column | name }}{{ "," if not loop.last }}
            {% endfor %}
    ) as span,
    {% for column, name in columns %}
    {{ column | name }} as {{ name | name }},
    {% endfor %}
    row_count
from (
    select
        {% for column, name in columns %}
        {{ column | name }},
        {% endfor %}
        sum(class_size) as row_count
    from {{ classes | name }}
    group by
        {% for column, name in columns %}
        {{ column | name }}{{ "," if not loop.last }}
        {% endfor %}
) as cells
