{#- CTE of choices: the width of each region along each dimension, -1 if it has one value only; inputs: dimensions, nullable, positions, extents, bounds; reads spans; output: widths (region, row_count, high_1 …, width_1 …) -#}
widths as (
    select
        spans.region,
        spans.row_count,
        {% for d in dimensions %}
        spans.{{ "high" | numbered(d.number) }},
        {% endfor %}
        {% for d in dimensions %}
        case
            when spans.{{ "high" | numbered(d.number) }} = spans.{{ "lowest" | numbered(d.number) }} then -1.0
            when {{ "e" | numbered(d.number) }}.extent > 0
                and {{ "to" | numbered(d.number) }}.high_position > {{ "from" | numbered(d.number) }}.low_position
            then ({{ "to" | numbered(d.number) }}.high_position - {{ "from" | numbered(d.number) }}.low_position)
                / {{ "e" | numbered(d.number) }}.extent * {{ "e" | numbered(d.number) }}.weight
            else 0.0
        end as {{ "width" | numbered(d.number) }}{{ "," if not loop.last }}
        {% endfor %}
    from spans
    {% for d in dimensions %}
    join {{ extents | name }} as {{ "e" | numbered(d.number) }} on {{ "e" | numbered(d.number) }}.dimension = {{ d.number | number }}
    {% if bounds %}
    join {{ bounds | name }} as {{ "b" | numbered(d.number) }}
        on {{ "b" | numbered(d.number) }}.region = spans.region
        and {{ "b" | numbered(d.number) }}.dimension = {{ d.number | number }}
    {% endif %}
    left join {{ positions | name }} as {{ "from" | numbered(d.number) }}
        on {{ "from" | numbered(d.number) }}.dimension = {{ d.number | number }}
        {% if bounds %}
        and {{ "from" | numbered(d.number) }}.code = case
            when {{ "b" | numbered(d.number) }}.low_code = 0 then 1
            else {{ "b" | numbered(d.number) }}.low_code
        end
        {% else %}
        and {{ "from" | numbered(d.number) }}.code = spans.{{ ("low" if d.number in nullable else "lowest") | numbered(d.number) }}
        {% endif %}
    left join {{ positions | name }} as {{ "to" | numbered(d.number) }}
        on {{ "to" | numbered(d.number) }}.dimension = {{ d.number | number }}
        {% if bounds %}
        and {{ "to" | numbered(d.number) }}.code = {{ "b" | numbered(d.number) }}.high_code
        {% else %}
        and {{ "to" | numbered(d.number) }}.code = spans.{{ "high" | numbered(d.number) }}
        {% endif %}
    {% endfor %}
)
