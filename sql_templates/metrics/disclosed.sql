{# The bits that the labels of published classes disclose about their values; inputs: classes, carried (c, level of columns below their root); output: one sum per carried column #}
select
    {% for c, level in carried %}
    coalesce(sum(class.class_size * {{ "l" | numbered(c.number) }}.disclosed), 0.0) as {{ "disclosed" | numbered(c.number) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ classes | name }} as class
{% for c, level in carried %}
left join {{ c.label_table | name }} as {{ "l" | numbered(c.number) }}
    on {{ "l" | numbered(c.number) }}.part = class.{{ "part" | numbered(c.number) }}
    and {{ "l" | numbered(c.number) }}.level = {{ level | number }}
{% endfor %}
where class.suppressed = 0
