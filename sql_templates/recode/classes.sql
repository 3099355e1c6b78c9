{# The classes of a node; inputs: frequencies, keys, columns (c, level), label (a coded column or none); output: key_1 …, part_1 … (of columns below their root), majority (of the label), class_size #}
{% if label %}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for c, level in columns if level < c.height %}
    min({{ "part" | numbered(c.number) }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    max(label_rows) as majority,
    sum(label_rows) as class_size
from (
{% endif %}
select
    {% for parts in keys %}
    {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for c, level in columns if level < c.height %}
    min({{ c.quasi_identifier.part(level) | name }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    sum(row_count) as {{ ("label_rows" if label else "class_size") | name }}
from {{ frequencies | name }}
{% if keys or label %}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }}{{ "," if label or not loop.last }}
    {% endfor %}
    {% if label %}
    {{ label.quasi_identifier.part(0) | name }}
    {% endif %}
{% endif %}
{% if label %}
) as labelled
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
{% endif %}
