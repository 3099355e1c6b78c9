{# Losses of cells that are in the hierarchy; inputs: labels, matched, c (label_table), cells (columns of label_table); output: cells, one sum per cell, row_count #}
select
    count(*) as cells,
    {% for cell in cells %}
    coalesce(sum(labels.row_count * label.{{ cell | name }}), 0.0) as {{ cell | name }},
    {% endfor %}
    coalesce(sum(labels.row_count), 0) as row_count
from {{ labels | name }} as labels
join {{ matched | name }} as matched on matched.span = labels.span
join {{ c.label_table | name }} as label on label.part = matched.part and label.level = matched.level
