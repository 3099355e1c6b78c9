{# Leaves in half-open intervals; inputs: leaves, kind, steps, start, decimals and scale = 10^decimals (bounds are whole numbers of 1/scale); output: value, position, listed, row_count, label_1 … #}
with nearest as (
    select
        value,
        position,
        listed,
        row_count,
        {% if kind in ("float", "single") %}
        case
            when abs(position * {{ scale | number }}) < 9e18 then cast(round(position * {{ scale | number }}) as bigint)
        end as units
        {% elif kind == "decimal" %}
        floor(value * {{ scale | number }}) as units
        {% else %}
        case
            {% if scale > 1 %}
            when abs(position * {{ scale | number }}) > 9e18 then null
            {% endif %}
            when position is not null then cast(value as decimal(38, 0)) * {{ scale | number }}
        end as units
        {% endif %}
    from {{ leaves | name }}
),
measured as (
    select
        value,
        position,
        listed,
        row_count,
        {% if kind == "single" %}
        case when value >= cast(cast(units as double) / {{ scale | number }} as real) then units else units - 1 end as units
        {% elif kind == "float" %}
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
            || case
                when abs({{ bound | numbered(level) }}) < {{ scale | number }} then '0'
                else substr(
                    cast(abs({{ bound | numbered(level) }}) as varchar),
                    1,
                    length(cast(abs({{ bound | numbered(level) }}) as varchar)) - {{ decimals | number }}
                )
            end
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
    {% if kind in ("float", "single") %}
    case
        when value < -1.7976931348623157e308 then '-Infinity'
        when value > 1.7976931348623157e308 and -value < -1.7976931348623157e308 then 'Infinity'
        when value > 1.7976931348623157e308 and value = value + 1 then 'NaN'
        else '[' || {{ "low" | numbered(loop.index) }} || ',' || {{ "high" | numbered(loop.index) }} || ')'
    end as {{ "label" | numbered(loop.index) }},
    {% else %}
    '[' || {{ "low" | numbered(loop.index) }} || ',' || {{ "high" | numbered(loop.index) }} || ')' as {{ "label" | numbered(loop.index) }},
    {% endif %}
    {% endfor %}
    '*' as {{ "label" | numbered(steps | length + 1) }}
from spelled
