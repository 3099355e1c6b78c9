{# Classes of combinations that also include a target column; inputs: counts, width (number of class columns); output: v_1 …, class_size #}
select
    {% for position in range(1, width + 1) %}
    {{ "v" | numbered(position) }},
    {% endfor %}
    sum(row_count) as class_size
from {{ counts | name }}
group by
    {% for position in range(1, width + 1) %}
    {{ "v" | numbered(position) }}{{ "," if not loop.last }}
    {% endfor %}
