{# What the cells lose that stand in the hierarchy; inputs: labels, matched, c (label_table), cells (columns there); output: cells, row_count, one sum per cell #}
select
    count(*) as cells,
    {% for cell in cells %}
    coalesce(sum(labels.row_count * found.{{ cell | name }}), 0.0) as {{ cell | name }},
    {% endfor %}
    coalesce(sum(labels.row_count), 0) as row_count
from {{ labels | name }} as labels
join {{ matched | name }} as matched on matched.span = labels.span
join {{ c.label_table | name }} as found on found.part = matched.part and found.level = matched.level
