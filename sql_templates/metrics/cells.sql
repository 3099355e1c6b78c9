{# The loss of the cells of the suppressed or of the published classes; inputs: node (its number), classes (a table, or none for those of the node), carried (c, level of columns between leaf and root), width (the number of sums per cell, the same in all queries), cells (columns of label tables), suppressed (1 or 0: which classes); output: node, per cell the sums of the carried columns, padded with 0, row_count #}
select
    {{ node | number }} as node,
    {% for cell in cells %}
    {% for c, level in carried %}
    coalesce(sum(class.class_size * {{ "l" | numbered(c.number) }}.{{ cell | name }}), 0.0) as {{ cell | numbered(c.number) }},
    {% endfor %}
    {% for index in range(carried | length, width) %}
    0.0 as {{ "none" | numbered(loop.index) }},
    {% endfor %}
    {% endfor %}
    coalesce(sum(class.class_size), 0) as row_count
{% if classes %}
from {{ classes | name }} as class
{% else %}
from (
    {% include judged_template %}
) as class
{% endif %}
{% for c, level in carried %}
left join {{ c.label_table | name }} as {{ "l" | numbered(c.number) }}
    on {{ "l" | numbered(c.number) }}.part = class.{{ "part" | numbered(c.number) }}
    and {{ "l" | numbered(c.number) }}.level = {{ level | number }}
{% endfor %}
{# An inequality: PostgreSQL expects few of the rows to equal a constant, and would then join them by nested loops. #}
where class.suppressed {% if suppressed %}>= 1{% else %}<= 0{% endif %}

