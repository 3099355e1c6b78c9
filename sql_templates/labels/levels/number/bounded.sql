{# Part of numbers: the bounds of the labels of each level in units, for level 0 the bottom and top codes; inputs: as in numbers; output: value, …, low_0, high_0, low_1, high_1 … (for rounding, low is the rounded number) #}
{% for level in levels if level.how == "round" %}
{{ "rounded" | numbered(loop.index) }} as (
    select
        value,
        position,
        listed,
        row_count,
        above,
        units,
        {% for lower in range(1, loop.index) %}
        {{ "size" | numbered(lower) }},
        {% endfor %}
        {% if loop.first %}
        units + {{ level.half | number }} - (units + {{ level.half | number }}) % {{ level.step | number }} as size_1
    from measured
        {% else %}
        {{ "size" | numbered(loop.index0) }} + {{ level.half | number }} - ({{ "size" | numbered(loop.index0) }} + {{ level.half | number }}) % {{ level.step | number }} as {{ "size" | numbered(loop.index) }}
    from {{ "rounded" | numbered(loop.index0) }}
        {% endif %}
),
{% endfor %}
bounded as (
    select
        value,
        position,
        listed,
        row_count,
        {% if top_bottom %}
        spelled,
        {{ (bottom or 0) | number }} as low_0,
        {{ (top or 0) | number }} as high_0,
        {% endif %}
        {% for level in levels %}
        {% if level.how == "step" %}
        units - (((units - {{ start | number }}) % {{ level.step | number }}) + {{ level.step | number }}) % {{ level.step | number }} as {{ "low" | numbered(loop.index) }},
        units - (((units - {{ start | number }}) % {{ level.step | number }}) + {{ level.step | number }}) % {{ level.step | number }} + {{ level.step | number }} as {{ "high" | numbered(loop.index) }},
        {% elif level.how == "edges" %}
        case
            when units is null or units < {{ level.edges[0] | number }} then null
            {% for edge in level.edges[1:] %}
            when units < {{ edge | number }} then {{ level.edges[loop.index0] | number }}
            {% endfor %}
            else {{ level.edges[-1] | number }}
        end as {{ "low" | numbered(loop.index) }},
        case
            {% for edge in level.edges %}
            when units < {{ edge | number }} then {{ edge | number }}
            {% endfor %}
        end as {{ "high" | numbered(loop.index) }},
        {% elif level.how == "round" %}
        case when value < 0 then -{{ "size" | numbered(loop.index) }} else {{ "size" | numbered(loop.index) }} end as {{ "low" | numbered(loop.index) }},
        {% endif %}
        {% endfor %}
        above,
        units
    from {% if rounds %}{{ "rounded" | numbered(levels | length) }}{% else %}measured{% endif %}

),
