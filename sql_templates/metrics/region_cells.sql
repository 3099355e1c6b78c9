{# The loss of the published cells of all groups; inputs: regions, labels (number, table), cells (columns there); output: a sum per cell and column #}
select
    {% for cell in cells %}
    {% set last_cell = loop.last %}
    {% for l in labels %}
    coalesce(sum(region.class_size * {{ "l" | numbered(l.number) }}.{{ cell | name }}), 0.0) as {{ cell | numbered(l.number) }}{{ "," if not (loop.last and last_cell) }}
    {% endfor %}
    {% endfor %}
from {{ regions | name }} as region
{% for l in labels %}
left join {{ l.table | name }} as {{ "l" | numbered(l.number) }} on {{ "l" | numbered(l.number) }}.span = region.{{ "span" | numbered(l.number) }}
{% endfor %}
