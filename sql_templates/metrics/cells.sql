{# What the cells of the suppressed or of the published classes lose; inputs: node (its number), classes (a table, or none for those of the node), columns (c, level), carried (those between leaf and root), cells (columns of label tables), suppressed (1 or 0: of which classes); output: node, per cell and column a sum, row_count #}
select
    {{ node | number }} as node,
    {% for cell in cells %}
    {% for c, level in columns %}
    {% if 0 < level < c.height %}
    coalesce(sum(class.class_size * {{ "l" | numbered(c.number) }}.{{ cell | name }}), 0.0) as {{ cell | numbered(c.number) }},
    {% else %}
    0.0 as {{ cell | numbered(c.number) }},
    {% endif %}
    {% endfor %}
    {% endfor %}
    coalesce(sum(class.class_size), 0) as row_count
{% if classes %}
from {{ classes | name }} as class
{% else %}
from (
    {% include "evaluate/judged.sql" %}
) as class
{% endif %}
{% for c, level in carried %}
join {{ c.label_table | name }} as {{ "l" | numbered(c.number) }}
    on {{ "l" | numbered(c.number) }}.part = class.{{ "part" | numbered(c.number) }}
    and {{ "l" | numbered(c.number) }}.level = {{ level | number }}
{% endfor %}
where class.suppressed = {{ suppressed | number }}
