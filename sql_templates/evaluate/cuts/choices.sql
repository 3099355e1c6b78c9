{# The dimensions along which each region may be cut, the widest first; inputs: regions, least_rows (of a region that may be cut), dimensions, nullable (numbers of dimensions with NULLs), positions, extents, bounds, last (as in cuts), choice_count, top_count (choices whose highest code is needed); output: region, choice_1 … (dimensions; null if fewer have more than one value), top_1 … (highest codes), row_count #}
with spans as (
    select
        region,
        {% for d in dimensions %}
        {% if d.number in nullable %}
        min(case when {{ "code" | numbered(d.number) }} > 0 then {{ "code" | numbered(d.number) }} end) as {{ "low" | numbered(d.number) }},
        {% endif %}
        min({{ "code" | numbered(d.number) }}) as {{ "lowest" | numbered(d.number) }},
        max({{ "code" | numbered(d.number) }}) as {{ "high" | numbered(d.number) }},
        {% endfor %}
        cast(sum(row_count) as bigint) as row_count
    from {{ regions | name }}
    group by region
    having sum(row_count) >= {{ least_rows | number }}
),
{% include "evaluate/cuts/region_widths.sql" %},
ranks as (
    select
        region,
        row_count,
        {% for d in dimensions %}
        {{ "high" | numbered(d.number) }},
        {% endfor %}
        {% for d in dimensions %}
        case when {{ "width" | numbered(d.number) }} >= 0 then 1 end
        {% for e in dimensions if e.number != d.number %}
        + case
            when {{ "width" | numbered(e.number) }} {% if (e.number > d.number) == last %}>={% else %}>{% endif %} {{ "width" | numbered(d.number) }} then 1
            else 0
        end
        {% endfor %}
        as {{ "rank" | numbered(d.number) }}{{ "," if not loop.last }}
        {% endfor %}
    from widths
)
select
    region,
    {% for choice in range(1, choice_count + 1) %}
    case
        {% for d in dimensions %}
        when {{ "rank" | numbered(d.number) }} = {{ choice | number }} then {{ d.number | number }}
        {% endfor %}
    end as {{ "choice" | numbered(choice) }},
    {% endfor %}
    {% for choice in range(1, top_count + 1) %}
    case
        {% for d in dimensions %}
        when {{ "rank" | numbered(d.number) }} = {{ choice | number }} then {{ "high" | numbered(d.number) }}
        {% endfor %}
    end as {{ "top" | numbered(choice) }},
    {% endfor %}
    row_count
from ranks
