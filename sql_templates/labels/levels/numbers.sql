{# Leaves in intervals, between edges, rounded, or with bottom and top codes; inputs: leaves, kind, levels (how, step, half, edges), rounds, top_bottom, start, bottom, top, decimals, scale = 10^decimals (all numbers are whole, in units of 1/scale); output: value, position, listed, row_count, label_1 … #}
with {% include "labels/levels/number/measured.sql" %}
{% include "labels/levels/number/bounded.sql" %}
{% include "labels/levels/number/spelled.sql" %}

select
    value,
    position,
    listed,
    row_count,
    {% for level in levels %}
    case
        {% if kind in ("float", "single") %}
        when value < -1.7976931348623157e308 then '-Infinity'
        when value > 1.7976931348623157e308 and -value < -1.7976931348623157e308 then 'Infinity'
        when value > 1.7976931348623157e308 and value = value + 1 then 'NaN'
        {% endif %}
        when units is null then null
        {% if bottom is not none %}
        when units < {{ bottom | number }} then '<' || low_0
        {% endif %}
        {% if top is not none %}
        when above = 1 then '>' || high_0
        {% endif %}
        {% if level.how == "value" %}
        else spelled
        {% elif level.how == "round" %}
        else {{ "low" | numbered(loop.index) }}
        {% elif level.how == "edges" %}
        when {{ "low" | numbered(loop.index) }} is null then '<' || {{ "high" | numbered(loop.index) }}
        when {{ "high" | numbered(loop.index) }} is null then '>=' || {{ "low" | numbered(loop.index) }}
        else '[' || {{ "low" | numbered(loop.index) }} || ',' || {{ "high" | numbered(loop.index) }} || ')'
        {% else %}
        else '[' || {{ "low" | numbered(loop.index) }} || ',' || {{ "high" | numbered(loop.index) }} || ')'
        {% endif %}
    end as {{ "label" | numbered(loop.index) }},
    {% endfor %}
    '*' as {{ "label" | numbered(levels | length + 1) }}
from spelled
