{# Losses of cells that cover leaves as a range or a set; inputs: spans (ranges, or members of sets), by_range, c (column, published, hierarchy_table, label_table, height, stride, unlisted); output: span, part, label, low_position, high_position (of numbers), loss, ncp, nllm, entropy, disclosed #}
with covered as (
    select distinct
        spans.span,
        {% if not by_range %}
        spans.members,
        {% endif %}
        leaf.part_0
    from {{ spans | name }} as spans
    {% if by_range %}
    join {{ c.hierarchy_table | name }} as leaf
        on (spans.low is null or leaf.position > spans.low or (leaf.position = spans.low and spans.low_open = 0))
        and (spans.high is null or leaf.position < spans.high or (leaf.position = spans.high and spans.high_open = 0))
    where leaf.position is not null
    {% else %}
    join {{ c.hierarchy_table | name }} as leaf on leaf.value = spans.member
    {% endif %}
),
domain as (
    select
        count(*) as leaves,
        max(position) - min(position) as extent
    from {{ c.hierarchy_table | name }}
    where value is null or listed < {{ c.unlisted | number }}
),
published as (
    select
        covered.span,
        cast(null as varchar) as label,
        max(case when leaf.listed >= {{ c.unlisted | number }} then 1 else 0 end) as mixed,
        case when count(*) = 1 then 1 else 0 end as is_point,
        min(leaf.position) as low_position,
        max(leaf.position) as high_position,
        max(leaf.position) - min(leaf.position) as extent,
        count(*) as leaves,
        cast(sum(leaf.row_count) as bigint) as row_count,
        sum(case when leaf.row_count > 0 then leaf.row_count * ln(cast(leaf.row_count as double)) else 0.0 end) as spread
    from covered
    join {{ c.hierarchy_table | name }} as leaf on leaf.part_0 = covered.part_0
    group by covered.span
    {% if not by_range %}
    having count(*) = max(covered.members)
    {% endif %}
)
{% include "labels/regions/losses.sql" %}
