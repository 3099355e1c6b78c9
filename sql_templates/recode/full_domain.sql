{# The classes of a node with their labels and losses; inputs: frequencies, keys, columns (c, level), models; output: key_1 …, class_size, suppressed, value_1 or label_1 …, loss_1 … #}
with classes as (
    select
        {% for parts in keys %}
        {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% for c, level in columns if level < c.height %}
        min({{ c.quasi_identifier.part(level) | name }}) as {{ "part" | numbered(c.number) }},
        {% endfor %}
        sum(row_count) as class_size
    from {{ frequencies | name }}
    {% if keys %}
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }}{{ "," if not loop.last }}
        {% endfor %}
    {% endif %}
)
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for c, level in columns %}
    {% if c.height == 0 %}
    (select min(value) from {{ c.hierarchy_table | name }}) as {{ "value" | numbered(c.number) }},
    0.0 as {{ "loss" | numbered(c.number) }},
    {% elif level == c.height %}
    (select label from {{ c.label_table | name }} where level = {{ level | number }}) as {{ "label" | numbered(c.number) }},
    (select loss from {{ c.label_table | name }} where level = {{ level | number }}) as {{ "loss" | numbered(c.number) }},
    {% else %}
    {% if level == 0 %}
    {{ "h" | numbered(c.number) }}.value as {{ "value" | numbered(c.number) }},
    {% else %}
    {{ "l" | numbered(c.number) }}.label as {{ "label" | numbered(c.number) }},
    {% endif %}
    {{ "l" | numbered(c.number) }}.loss as {{ "loss" | numbered(c.number) }},
    {% endif %}
    {% endfor %}
    class_size,
    case
        {% for model in models %}
        when {% include model.template %} then 1
        {% endfor %}
        else 0
    end as suppressed
from classes
{% for c, level in columns if level < c.height %}
join {{ c.label_table | name }} as {{ "l" | numbered(c.number) }}
    on {{ "l" | numbered(c.number) }}.level = {{ level | number }}
    and {{ "l" | numbered(c.number) }}.part = classes.{{ "part" | numbered(c.number) }}
{% if level == 0 %}
join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.part_0 = classes.{{ "part" | numbered(c.number) }}
{% endif %}
{% endfor %}
