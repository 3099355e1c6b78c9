{# The classes of a node with their labels; inputs: classes, keys, columns (c, level), measures (numbers), has_label, persons, bounds (tables of bounds by column number); output: key_1 …, class (its number, in the order of the keys), class_size, suppressed, unlabelled (1 where a label is missing), value_1 or label_1 …, low_1, high_1 …, part_1 … (of columns below their root), majority (of the label), measure_1 … #}
select
    {% for parts in keys %}
    class.{{ "key" | numbered(loop.index) }},
    {% endfor %}
    row_number() over (
        {% if keys %}
        order by
            {% for parts in keys %}
            class.{{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
            {% endfor %}
        {% else %}
        order by class.class_size
        {% endif %}
    ) as class,
    {% for c, level in columns %}
    {% if c.height == 0 %}
    (select value from {{ c.hierarchy_table | name }}) as {{ "value" | numbered(c.number) }},
    {% elif level == c.height %}
    (select label from {{ c.label_table | name }} where level = {{ level | number }}) as {{ "label" | numbered(c.number) }},
    {% elif level == 0 %}
    {{ "h" | numbered(c.number) }}.value as {{ "value" | numbered(c.number) }},
    {% else %}
    {{ "l" | numbered(c.number) }}.label as {{ "label" | numbered(c.number) }},
    {% endif %}
    {% if c.number in bounds and level == c.height %}
    (select low from {{ bounds[c.number] | name }}) as {{ "low" | numbered(c.number) }},
    (select high from {{ bounds[c.number] | name }}) as {{ "high" | numbered(c.number) }},
    {% elif c.number in bounds %}
    {{ "b" | numbered(c.number) }}.low as {{ "low" | numbered(c.number) }},
    {{ "b" | numbered(c.number) }}.high as {{ "high" | numbered(c.number) }},
    {% endif %}
    {% endfor %}
    {% for c, level in columns if level < c.height %}
    class.{{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if has_label %}
    class.majority,
    {% endif %}
    case
        {% for c, level in columns if level < c.height %}
        when {{ ("h" if level == 0 else "l") | numbered(c.number) }}.{{ "part_0" if level == 0 else "part" }} is null then 1
        {% endfor %}
        when class.class_size is null then 1
        else 0
    end as unlabelled,
    class.class_size,
    {% if persons %}
    class.persons,
    {% endif %}
    {% for number in measures %}
    class.{{ "measure" | numbered(number) }},
    {% endfor %}
    class.suppressed
from {{ classes | name }} as class
{% for c, level in columns if level < c.height %}
{% if level == 0 %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.part_0 = class.{{ "part" | numbered(c.number) }}
{% else %}
left join {{ c.label_table | name }} as {{ "l" | numbered(c.number) }}
    on {{ "l" | numbered(c.number) }}.part = class.{{ "part" | numbered(c.number) }}
    and {{ "l" | numbered(c.number) }}.level = {{ level | number }}
{% endif %}
{% if c.number in bounds %}
left join {{ bounds[c.number] | name }} as {{ "b" | numbered(c.number) }}
    on {{ "b" | numbered(c.number) }}.part = class.{{ "part" | numbered(c.number) }}
{% endif %}
{% endfor %}
