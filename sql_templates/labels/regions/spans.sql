{# The span of each region in every column, as one number: 1 only NULL, 0 NULL and values, else 2 × (low × codes + high), or the region itself if that is not enough; inputs: regions, columns (number, codes, dimension or none, by_region, mean, axis), bounds (of regions by cuts, or none: low is then the first code, not the last one below); output: region, class_size, low_1, high_1, mean_1, span_1 … #}
with coded as (
    select
        region,
        {% for c in columns if c.dimension %}
        ({{ "key" | numbered(c.dimension.key) }} // {{ c.dimension.stride | number }}) % {{ c.dimension.codes | number }} as {{ "code" | numbered(c.number) }},
        {% endfor %}
        row_count
    from {{ regions | name }}
),
tight as (
    select
        coded.region,
        {% for c in columns %}
        {% if c.dimension %}
        min(case when {{ "code" | numbered(c.number) }} > 0 then {{ "code" | numbered(c.number) }} end) as {{ "low" | numbered(c.number) }},
        case when min({{ "code" | numbered(c.number) }}) > 0 then max({{ "code" | numbered(c.number) }}) end as {{ "high" | numbered(c.number) }},
        {% if c.mean %}
        sum({{ "axis" | numbered(c.number) }}.position * coded.row_count) / sum(coded.row_count) as {{ "mean" | numbered(c.number) }},
        {% endif %}
        {% else %}
        {{ (0 if bounds else 1) | number }} as {{ "low" | numbered(c.number) }},
        1 as {{ "high" | numbered(c.number) }},
        {% endif %}
        {% endfor %}
        cast(sum(coded.row_count) as bigint) as class_size
    from coded
    {% for c in columns if c.mean and c.dimension %}
    left join {{ c.axis | name }} as {{ "axis" | numbered(c.number) }} on {{ "axis" | numbered(c.number) }}.code = coded.{{ "code" | numbered(c.number) }}
    {% endfor %}
    group by coded.region
),
spans as (
    select
        tight.region,
        {% for c in columns %}
        {% if c.dimension and bounds %}
        case when {{ "low" | numbered(c.number) }} is not null then {{ "b" | numbered(c.number) }}.low_code end as {{ "low" | numbered(c.number) }},
        case when {{ "high" | numbered(c.number) }} is not null then {{ "b" | numbered(c.number) }}.high_code end as {{ "high" | numbered(c.number) }},
        {% else %}
        {{ "low" | numbered(c.number) }},
        {{ "high" | numbered(c.number) }},
        {% endif %}
        {% if c.mean and c.dimension %}
        case when {{ "high" | numbered(c.number) }} is not null then {{ "mean" | numbered(c.number) }} end as {{ "mean" | numbered(c.number) }},
        {% endif %}
        {% endfor %}
        tight.class_size
    from tight
    {% if bounds %}
    {% for c in columns if c.dimension %}
    left join {{ bounds | name }} as {{ "b" | numbered(c.number) }}
        on {{ "b" | numbered(c.number) }}.region = tight.region
        and {{ "b" | numbered(c.number) }}.dimension = {{ c.number | number }}
    {% endfor %}
    {% endif %}
)
select
    region,
    {% for c in columns %}
    {{ "low" | numbered(c.number) }},
    {{ "high" | numbered(c.number) }},
    {% if c.mean and c.dimension %}
    {{ "mean" | numbered(c.number) }},
    {% endif %}
    {% if c.by_region %}
    region as {{ "span" | numbered(c.number) }},
    {% else %}
    case
        when {{ "high" | numbered(c.number) }} is not null then 2 * ({{ "low" | numbered(c.number) }} * {{ c.codes | number }} + {{ "high" | numbered(c.number) }})
        when {{ "low" | numbered(c.number) }} is not null then 0
        else 1
    end as {{ "span" | numbered(c.number) }},
    {% endif %}
    {% endfor %}
    class_size
from spans
