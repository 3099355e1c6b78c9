{# Classes of a released table; inputs: counts (combinations with each label of cm), width (number of class columns), k; output: v_1 …, class_size, majority, suppressed (0), small (1 below k) #}
select
    {% for position in range(1, width + 1) %}
    {{ "v" | numbered(position) }},
    {% endfor %}
    sum(row_count) as class_size,
    max(row_count) as majority,
    0 as suppressed,
    case when sum(row_count) < {{ k | number }} then 1 else 0 end as small
from {{ counts | name }}
group by
    {% for position in range(1, width + 1) %}
    {{ "v" | numbered(position) }}{{ "," if not loop.last }}
    {% endfor %}
