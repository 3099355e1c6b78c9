{# Labels of the hierarchy that equal the text or value of a cell; inputs: labels, c (hierarchy_table, label_table, height, stride), by_value (cells can be values), by_label (cells can be labels); output: span, level, part #}
{% if by_value %}
select
    labels.span,
    0 as level,
    leaf.part_0 as part
from {{ labels | name }} as labels
join {{ c.hierarchy_table | name }} as leaf on leaf.value = labels.label
union all
{% endif %}
{% if by_label %}
select
    labels.span,
    found.level,
    found.part
from {{ labels | name }} as labels
join {{ c.label_table | name }} as found on cast(found.label as varchar) collate "C" = labels.label
where found.level > 0
union all
select
    span,
    {{ c.height | number }} as level,
    {{ c.stride | number }} as part
from {{ labels | name }}
where label = '*'
union all
{% endif %}
select
    labels.span,
    found.level,
    found.part
from {{ labels | name }} as labels
cross join {{ c.label_table | name }} as found
where labels.label is null and found.part = 0
