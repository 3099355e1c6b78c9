{#- Part of values: the node of a column with one leaf, which no class generalizes; inputs: c (hierarchy_table); output: span, level, part -#}
select
    0 as span,
    0 as level,
    part_0 as part
from {{ c.hierarchy_table | name }}
