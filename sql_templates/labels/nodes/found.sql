{#- Part of values, numbers and categories: the distinct nodes of a column; inputs: nodes, c (number, height, stride); output: span, level, part -#}
select distinct
    ({{ "part" | numbered(c.number) }} // {{ c.stride | number }}) * {{ (c.height + 1) | number }} + {{ "level" | numbered(c.number) }} as span,
    {{ "level" | numbered(c.number) }} as level,
    {{ "part" | numbered(c.number) }} as part
from {{ nodes | name }}
