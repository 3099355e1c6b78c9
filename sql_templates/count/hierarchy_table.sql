{# Every leaf with its part of the class key (code × stride) at each level, 0 for NULL below the root; inputs: labelled, height, stride; output: value, position, listed, row_count, label_1 …, part_0, part_1 … #}
with numbered as (
    select
        value,
        position,
        listed,
        row_count,
        {% for level in range(1, height + 1) %}
        {{ "label" | numbered(level) }},
        {% endfor %}
        row_number() over (order by listed, value) as code_0
    from {{ labelled | name }}
    where value is not null
),
gathered as (
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
        code_0
    from numbered
)
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
