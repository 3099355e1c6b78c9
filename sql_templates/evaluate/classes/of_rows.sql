{#- The classes of a node; the derived table lets SQLite add up a key once, not twice; inputs: frequencies, keys (the parts that add up to each key), carried (column, level), sliced (part, divisor, remainder: only classes with this remainder; or none); output: key_1 …, part_1 … (of carried columns), class_size -#}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for c, level in carried %}
    min({{ "part" | numbered(c.number) }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    sum(row_count) as class_size
from (
    select
        {% for parts in keys %}
        {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% for c, level in carried %}
        {{ c.quasi_identifier.part(level) | name }} as {{ "part" | numbered(c.number) }},
        {% endfor %}
        row_count
    from {{ frequencies | name }}
    {% if sliced %}
    where {{ sliced.part | name }} % {{ sliced.divisor | number }} = {{ sliced.remainder | number }}
    {% endif %}
) as keyed
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
