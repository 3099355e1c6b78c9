{#- Part of values, numbers and categories: the distinct nodes of a column; inputs: nodes, c (number, height, stride, hierarchy_table); output: span, level, part -#}
{% if c.height > 0 %}
select distinct
    ({{ "part" | numbered(c.number) }} // {{ c.stride | number }}) * {{ (c.height + 1) | number }} + {{ "level" | numbered(c.number) }} as span,
    {{ "level" | numbered(c.number) }} as level,
    {{ "part" | numbered(c.number) }} as part
from {{ nodes | name }}
{% else %}
select
    0 as span,
    0 as level,
    part_0 as part
from {{ c.hierarchy_table | name }}
{% endif %}
