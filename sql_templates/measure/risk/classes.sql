{# The classes of combinations that also tell apart the values of another column; inputs: counts, width (columns of the classes); output: v_1 …, class_size #}
select
    {% for place in range(1, width + 1) %}
    {{ "v" | numbered(place) }},
    {% endfor %}
    sum(row_count) as class_size
from {{ counts | name }}
group by
    {% for place in range(1, width + 1) %}
    {{ "v" | numbered(place) }}{{ "," if not loop.last }}
    {% endfor %}
