{# Every leaf with its labels, in leaf order; inputs: hierarchy, height, column; output: value (decimals and timestamps as text), label_1 …, part_0 #}
select
    {% if column.kind in ("decimal", "timestamp") %}
    cast(value as varchar) as value,
    {% else %}
    value,
    {% endif %}
    {% for level in range(1, height + 1) %}
    {{ "label" | numbered(level) }},
    {% endfor %}
    part_0
from {{ hierarchy | name }}
where value is not null
order by part_0
