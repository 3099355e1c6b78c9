{# Every group with its rows, and its node of every hierarchy as one number; inputs: groups (region, row_count), nodes (region, level_1, part_1 … of columns with more than one level), columns (number, height, stride); output: region, span_1 …, class_size #}
select
    counted.region,
    {% for c in columns %}
    {% if c.height > 0 %}
    (nodes.{{ "part" | numbered(c.number) }} // {{ c.stride | number }}) * {{ (c.height + 1) | number }} + nodes.{{ "level" | numbered(c.number) }} as {{ "span" | numbered(c.number) }},
    {% else %}
    0 as {{ "span" | numbered(c.number) }},
    {% endif %}
    {% endfor %}
    counted.class_size
from (
    select
        region,
        cast(sum(row_count) as bigint) as class_size
    from {{ groups | name }}
    group by region
) as counted
join {{ nodes | name }} as nodes on nodes.region = counted.region
