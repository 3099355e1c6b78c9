{# What is published for each span of a numeric column, and the loss of such a cell; inputs: spans, c (number, codes, by_region, axis, label_table, hierarchy_table, height, unlisted, output, published), cuts (whether low is the last code below); output: span, part (one number per distinct result), the published columns, low_position, high_position, loss, ncp, nllm, entropy, disclosed #}
with cells as (
    {% include c.cells_template %}
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
        cells.span,
        {% include c.output.expression %}
        cells.mixed,
        case when cells.last_code is null or cells.first_code = cells.last_code then 1 else 0 end as is_point,
        first_end.low_position,
        last_end.high_position,
        last_end.high_position - first_end.low_position as extent,
        last_end.leaves_upto - first_end.leaves_upto + first_end.is_leaf as leaves,
        last_end.rows_upto - first_end.rows_upto + first_end.row_count as row_count,
        last_end.spread_upto - first_end.spread_upto
            + case when first_end.row_count > 0 then first_end.row_count * ln(cast(first_end.row_count as double)) else 0.0 end as spread
    from cells
    cross join (
        select label
        from {{ c.label_table | name }}
        where level = {{ c.height | number }} and part = {{ c.stride | number }}
    ) as root
    left join {{ c.axis | name }} as first_end on first_end.code = cells.first_code
    left join {{ c.axis | name }} as last_end on last_end.code = cells.last_code
    {% if cuts %}
    left join {{ c.axis | name }} as below_end on below_end.code = cells.below
    {% endif %}
)
{% include "labels/regions/losses.sql" %}
