{# The same of the groups whose class is not suppressed; inputs: as in region_cells, and classes (class, suppressed); output as there #}
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
join {{ classes | name }} as published
    on published.class = region.class
    and published.suppressed = 0
