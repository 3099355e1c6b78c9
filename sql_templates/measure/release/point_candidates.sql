{# Bounds that are a single value; inputs: labels (span, low, high), c (hierarchy_table); output: span, level, part #}
select
    labels.span,
    0 as level,
    leaf.part_0 as part
from {{ labels | name }} as labels
join {{ c.hierarchy_table | name }} as leaf on leaf.value = labels.low
where labels.low = labels.high
