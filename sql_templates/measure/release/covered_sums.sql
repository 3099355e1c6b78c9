{# Losses of cells that cover leaves as a range or a set; inputs: labels, covered, cells (columns of covered); output: cells, one sum per cell, row_count #}
select
    count(*) as cells,
    {% for cell in cells %}
    coalesce(sum(labels.row_count * covered.{{ cell | name }}), 0.0) as {{ cell | name }},
    {% endfor %}
    coalesce(sum(labels.row_count), 0) as row_count
from {{ labels | name }} as labels
join {{ covered | name }} as covered on covered.span = labels.span
