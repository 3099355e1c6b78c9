{# The bounds of every label of a level of numbers, NULL if unbounded; inputs: labels, hierarchy, level, kind, how, decimals, half and half_decimals (of a rounding step), smallest and largest (the range of the column's type, or none); output: part, low, high (+ 0 turns the text that SQLite's cast returns into a number) #}
with texts as (
    select
        part,
        label,
        case
            when label in ('NaN', 'Infinity', '-Infinity') then null
            when label like '[%' then substr(label, 2, strpos(label, ',') - 2)
            when label like '>=%' then substr(label, 3)
            when label like '>%' then substr(label, 2)
            {% if how == "round" %}
            else label
            {% endif %}
        end as low,
        case
            when label in ('NaN', 'Infinity', '-Infinity') then null
            when label like '[%' then substr(label, strpos(label, ',') + 1, length(label) - strpos(label, ',') - 1)
            when label like '<%' then substr(label, 2)
            {% if how == "round" %}
            else label
            {% endif %}
        end as high
    from {{ labels | name }}
    where level = {{ level | number }}
),
numbers as (
    select
        part,
        label,
        {% if kind in ("float", "single") %}
        cast(low as double){% if how == "round" %} - {{ half | number }}e-{{ half_decimals | number }}{% endif %} as low,
        cast(high as double){% if how == "round" %} + {{ half | number }}e-{{ half_decimals | number }}{% endif %} as high
        {% else %}
        cast(low as decimal(38, {{ decimals | number }})) + 0{% if how == "round" %} - cast({{ half | number }}e-{{ half_decimals | number }} as decimal(38, {{ decimals | number }})){% endif %} as low,
        cast(high as decimal(38, {{ decimals | number }})) + 0{% if how == "round" %} + cast({{ half | number }}e-{{ half_decimals | number }} as decimal(38, {{ decimals | number }})){% endif %} as high
        {% endif %}
    from texts
)
{% if how == "value" %}
, shown as (
    select
        part_1 as part,
        min(value) as low,
        max(value) as high
    from {{ hierarchy | name }}
    group by part_1
)
{% endif %}
select
    numbers.part,
    {% for bound in ["low", "high"] %}
    case
        when label is null then null
        {% if how == "value" %}
        when label not like '<%' and label not like '>%' and label not in ('NaN', 'Infinity', '-Infinity') then shown.{{ bound | name }}
        {% endif %}
        {% if smallest is not none %}
        when numbers.{{ bound | name }} < {{ smallest | number }} then null
        {% endif %}
        {% if largest is not none %}
        when numbers.{{ bound | name }} > {{ largest | number }} then null
        {% endif %}
        else numbers.{{ bound | name }}
    end as {{ bound | name }}{{ "," if not loop.last }}
    {% endfor %}
from numbers
{% if how == "value" %}
join shown on shown.part = numbers.part
{% endif %}
