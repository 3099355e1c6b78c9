{# What cells lose that cover leaves by range or by name; inputs: given (ranges, or members of sets), by_range, c (column, published, hierarchy_table, label_table, height, stride, unlisted); output: span, part, label, low_position, high_position (of numbers), loss, ncp, nllm, entropy, told #}
with covered as (
    select distinct
        given.span,
        {% if not by_range %}
        given.members,
        {% endif %}
        leaf.part_0
    from {{ given | name }} as given
    {% if by_range %}
    join {{ c.hierarchy_table | name }} as leaf
        on (given.low is null or leaf.position > given.low or (leaf.position = given.low and given.low_open = 0))
        and (given.high is null or leaf.position < given.high or (leaf.position = given.high and given.high_open = 0))
    where leaf.position is not null
    {% else %}
    join {{ c.hierarchy_table | name }} as leaf on leaf.value = given.member
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
