{# Part of numbers: leaves in whole units of 1/scale, without their sign if a level rounds; inputs: as in numbers; output: value, …, units, above (1 above the top code) #}
sized as (
    select
        value,
        position,
        listed,
        row_count,
        {% if top_bottom %}
        spelled,
        {% endif %}
        {% if rounds %}
        abs(value) as size,
        abs(position) as place
        {% else %}
        value as size,
        position as place
        {% endif %}
    from {{ leaves | name }}
),
nearest as (
    select
        value,
        position,
        listed,
        row_count,
        {% if top_bottom %}
        spelled,
        {% endif %}
        size,
        place,
        {% if kind in ("float", "single") %}
        case
            when abs(place * {{ scale | number }}) < 9e18 then cast(round(place * {{ scale | number }}) as bigint)
        end as units
        {% elif kind == "decimal" %}
        floor(size * {{ scale | number }}) as units
        {% else %}
        case
            {% if scale > 1 %}
            when abs(place * {{ scale | number }}) > 9e18 then null
            {% endif %}
            when place is not null then cast(size as decimal(38, 0)) * {{ scale | number }}
        end as units
        {% endif %}
    from sized
),
measured as (
    select
        value,
        position,
        listed,
        row_count,
        {% if top_bottom %}
        spelled,
        {% endif %}
        {% if top is none %}
        0 as above,
        {% elif kind == "float" %}
        case when place > cast({{ top | number }} as double) / {{ scale | number }} then 1 else 0 end as above,
        {% elif kind == "decimal" %}
        case when size * {{ scale | number }} > {{ top | number }} then 1 else 0 end as above,
        {% else %}
        case when units > {{ top | number }} then 1 else 0 end as above,
        {% endif %}
        {% if kind == "single" %}
        case when size >= cast(cast(units as double) / {{ scale | number }} as real) then units else units - 1 end as units
        {% elif kind == "float" %}
        case when place >= cast(units as double) / {{ scale | number }} then units else units - 1 end as units
        {% else %}
        units
        {% endif %}
    from nearest
),
