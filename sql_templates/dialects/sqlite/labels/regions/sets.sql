{# Aggregates of this SQLite have no order of their own, windows do. Same inputs and output as the common template. #}
with members as (
    {% if cuts %}
    {% include "labels/regions/range_members.sql" %}
    {% else %}
    select
        distinct_codes.region as span,
        distinct_codes.code,
        case when distinct_codes.code = 0 then 1 else 0 end as is_null,
        {% if c.column.kind == "boolean" %}
        case when leaf.value is null then null when leaf.value then 'true' else 'false' end as spelled,
        {% else %}
        leaf.value as spelled,
        {% endif %}
        leaf.row_count,
        case when leaf.row_count > 0 then leaf.row_count * ln(cast(leaf.row_count as real)) else 0.0 end as spread
    from (
        select distinct
            region,
            {% if c.dimension %}
            ({{ "key" | numbered(c.dimension.key) }} / {{ c.dimension.stride | number }}) % {{ c.dimension.codes | number }} as code
            {% else %}
            1 as code
            {% endif %}
        from {{ regions | name }}
    ) as distinct_codes
    join {{ c.hierarchy_table | name }} as leaf on leaf.part_0 = distinct_codes.code * {{ c.stride | number }}
    {% endif %}
),
running as (
    select
        span,
        code,
        is_null,
        group_concat(spelled, ',') over (partition by span order by code rows between unbounded preceding and unbounded following) as listed_values,
        spelled,
        row_count,
        spread
    from members
),
gathered as (
    select
        span,
        max(listed_values) as listed_values,
        max(spelled) as one_value,
        max(is_null) as has_null,
        sum(case when code > 0 then 1 else 0 end) as leaves,
        sum(row_count) as row_count,
        sum(spread) as spread
    from running
    group by span
),
{% include "labels/regions/published_sets.sql" %}
{% include "labels/regions/losses.sql" %}
