{# Leaves in half-open intervals; inputs: leaves, kind, steps, start and scale (bounds are whole numbers of 1/scale); output: value, position, listed, row_count, label_1 … #}
with nearest as (
    select
        value,
        position,
        listed,
        row_count,
        {% if kind == "float" %}
        cast(round(position * {{ scale | number }}) as bigint) as units
        {% elif kind == "decimal" %}
        cast(floor(value * {{ scale | number }}) as bigint) as units
        {% else %}
        value * {{ scale | number }} as units
        {% endif %}
    from {{ leaves | name }}
),
measured as (
    select
        value,
        position,
        listed,
        row_count,
        {% if kind == "float" %}
        case when position >= cast(units as double) / {{ scale | number }} then units else units - 1 end as units
        {% else %}
        units
        {% endif %}
    from nearest
),
bounded as (
    select
        value,
        position,
        listed,
        row_count,
        {% for step in steps %}
        units - (((units - {{ start | number }}) % {{ step | number }}) + {{ step | number }}) % {{ step | number }} as {{ "low" | numbered(loop.index) }},
        units - (((units - {{ start | number }}) % {{ step | number }}) + {{ step | number }}) % {{ step | number }} + {{ step | number }} as {{ "high" | numbered(loop.index) }}{{ "," if not loop.last }}
        {% endfor %}
    from measured
),
spelled as (
    select
        value,
        position,
        listed,
        row_count,
        {% for step in steps %}
        {% set level = loop.index %}
        {% set last = loop.last %}
        {% for bound in ["low", "high"] %}
        {% if scale == 1 %}
        cast({{ bound | numbered(level) }} as varchar)
        {% else %}
        case when {{ bound | numbered(level) }} < 0 then '-' else '' end
            || cast(cast((abs({{ bound | numbered(level) }}) - abs({{ bound | numbered(level) }}) % {{ scale | number }}) / {{ scale | number }} as bigint) as varchar)
            || case when {{ bound | numbered(level) }} % {{ scale | number }} = 0 then '' else '.' end
            || rtrim(substr(cast({{ scale | number }} + abs({{ bound | numbered(level) }}) % {{ scale | number }} as varchar), 2), '0')
        {% endif %}
        as {{ bound | numbered(level) }}{{ "," if not (last and loop.last) }}
        {% endfor %}
        {% endfor %}
    from bounded
)
select
    value,
    position,
    listed,
    row_count,
    {% for step in steps %}
    '[' || {{ "low" | numbered(loop.index) }} || ',' || {{ "high" | numbered(loop.index) }} || ')' as {{ "label" | numbered(loop.index) }},
    {% endfor %}
    '*' as {{ "label" | numbered(steps | length + 1) }}
from spelled
