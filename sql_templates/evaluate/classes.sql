{#- The classes of a node; inputs: frequencies, keys (packed keys; none when each combination is a class), carried (c, level), label (a coded column or none); output: part_1 … (of carried), class_size, majority (of the label) -#}
{% if keys is none %}
select row_count as class_size
from {{ frequencies | name }}
{% elif label %}
select
    {% for c, level in carried %}
    min({{ "part" | numbered(c.number) }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    max(label_rows) as majority,
    sum(label_rows) as class_size
from (
    select
        {% for parts in keys %}
        {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% for c, level in carried %}
        min({{ c.quasi_identifier.part(level) | name }}) as {{ "part" | numbered(c.number) }},
        {% endfor %}
        sum(row_count) as label_rows
    from {{ frequencies | name }}
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }},
        {% endfor %}
        {{ label.quasi_identifier.part(0) | name }}
) as labelled
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
{% else %}
select
    {% for c, level in carried %}
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
{% endif %}
