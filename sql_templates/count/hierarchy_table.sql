{# Every leaf with its part of the class key (code × stride) at each level, 0 for NULL below the root; inputs: labelled, height, stride, order (listed, value or tree: how leaves are numbered); output: value, position, listed, row_count, label_1 …, part_0, part_1 … #}
with numbered as (
    select
        value,
        position,
        listed,
        row_count,
        {% for level in range(1, height + 1) %}
        {{ "label" | numbered(level) }},
        {% endfor %}
        row_number() over (order by {% if order != "value" %}listed, {% endif %}value) as code_0
    from {{ labelled | name }}
    where value is not null
),
{{ ("gathered" if order != "tree" else "in_list_order") | name }} as (
    select
        value,
        position,
        listed,
        row_count,
        {% for level in range(1, height + 1) %}
        {{ "label" | numbered(level) }},
        {% if level < height %}
        first_value(code_0) over (partition by {{ "label" | numbered(level) }} order by code_0) as {{ "first" | numbered(level) }},
        {% endif %}
        {% endfor %}
        code_0{% if order == "tree" %} as list_code{% endif %}

    from numbered
){{ "," if order == "tree" }}
{% if order == "tree" %}
gathered as (
    select
        value,
        position,
        listed,
        row_count,
        {% for level in range(1, height + 1) %}
        {{ "label" | numbered(level) }},
        {% if level < height %}
        {{ "first" | numbered(level) }},
        {% endif %}
        {% endfor %}
        row_number() over (order by {% for level in range(height - 1, 0, -1) %}{{ "first" | numbered(level) }}, {% endfor %}list_code) as code_0
    from in_list_order
)
{% endif %}
select
    value,
    position,
    listed,
    row_count,
    {% for level in range(1, height + 1) %}
    {{ "label" | numbered(level) }},
    {% if level < height %}
    dense_rank() over (order by {{ "first" | numbered(level) }}) * {{ stride | number }} as {{ "part" | numbered(level) }},
    {% else %}
    {{ stride | number }} as {{ "part" | numbered(level) }},
    {% endif %}
    {% endfor %}
    code_0 * {{ stride | number }} as part_0
from gathered
union all
select
    value,
    position,
    listed,
    row_count,
    {% for level in range(1, height + 1) %}
    {{ "label" | numbered(level) }},
    {{ (stride if loop.last else 0) | number }} as {{ "part" | numbered(level) }},
    {% endfor %}
    0 as part_0
from {{ labelled | name }}
where value is null
