{# Part of numbers: bounds as text, the shortest decimals; inputs: as in numbers; output: value, …, low_0, high_0, low_1 … #}
spelled as (
    select
        value,
        position,
        listed,
        row_count,
        {% if top_bottom %}
        spelled,
        {% endif %}
        {% for level in range(0 if top_bottom else 1, levels | length + 1) %}
        {% set how = "edges" if level == 0 else levels[level - 1].how %}
        {% for bound in ([] if how == "value" else (["low"] if how == "round" else ["low", "high"])) %}
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
        as {{ bound | numbered(level) }},
        {% endfor %}
        {% endfor %}
        above,
        units
    from bounded
)
