{#- CTEs of cuts and chosen_cuts: where each region would be cut; inputs: relaxed; reads counted (region, dimension, code, row_count); output: medians (region, dimension, low, high, lowest, split, left_rows, total) -#}
running as (
    select
        region,
        dimension,
        code,
        row_count,
        cast(sum(row_count) over (partition by region, dimension order by code nulls first) as bigint) as upto,
        cast(sum(row_count) over (
            partition by region, dimension
            order by code nulls first
            rows between unbounded preceding and unbounded following
        ) as bigint) as total
    from counted
),
medians as (
    select
        region,
        dimension,
        min(case when code > 0 then code end) as low,
        max(code) as high,
        min(code) as lowest,
        max(case when 2 * upto >= total and 2 * (upto - row_count) < total then code end) as split,
        {% if relaxed %}
        max(total) - max(total) // 2 as left_rows,
        {% else %}
        max(case when 2 * upto >= total and 2 * (upto - row_count) < total then upto end) as left_rows,
        {% endif %}
        max(total) as total
    from running
    group by
        region,
        dimension
)
