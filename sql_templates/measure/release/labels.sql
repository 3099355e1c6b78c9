{# The distinct cells of a released quasi-identifier; inputs: classes, held (its columns there, as label, or as low and high); output: span (their number), label or low and high, row_count #}
select
    row_number() over (
        order by
            {% for there, name in held %}
            {{ there | name }}{{ "," if not loop.last }}
            {% endfor %}
    ) as span,
    {% for there, name in held %}
    {{ there | name }} as {{ name | name }},
    {% endfor %}
    row_count
from (
    select
        {% for there, name in held %}
        {{ there | name }},
        {% endfor %}
        sum(class_size) as row_count
    from {{ classes | name }}
    group by
        {% for there, name in held %}
        {{ there | name }}{{ "," if not loop.last }}
        {% endfor %}
) as cells
