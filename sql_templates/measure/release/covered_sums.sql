{# What the cells lose that cover leaves by range or by name; inputs: labels, covered, cells (columns there); output: cells, row_count, one sum per cell #}
select
    count(*) as cells,
    {% for cell in cells %}
    coalesce(sum(labels.row_count * covered.{{ cell | name }}), 0.0) as {{ cell | name }},
    {% endfor %}
    coalesce(sum(labels.row_count), 0) as row_count
from {{ labels | name }} as labels
join {{ covered | name }} as covered on covered.span = labels.span
