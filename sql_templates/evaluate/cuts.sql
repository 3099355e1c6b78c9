{# The cut of each open region: at the median of the widest dimension whose sides both satisfy the policy; inputs: regions, dimensions, positions, extents, bounds (inherited by regions; none: widths are of the values present), models, relaxed, last (ties to the last dimension); output: number, region, dimension, split (the last code on the left), left_rows, right_rows #}
with counted as (
    {% include "evaluate/region_values.sql" %}
),
running as (
    select
        region,
        dimension,
        code,
        row_count,
        cast(sum(row_count) over (partition by region, dimension order by code nulls first) as bigint) as upto,
        cast(sum(row_count) over (
            partition by region, dimension order by code nulls first rows between unbounded preceding and unbounded following
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
    group by region, dimension
),
left_judged as (
    select
        region,
        dimension,
        low,
        high,
        split,
        left_rows,
        right_rows,
        case
            {% for model in models %}
            when {% include model.template %} then 1
            {% endfor %}
            else 0
        end as left_fails
    from (
        select
            region,
            dimension,
            low,
            high,
            split,
            left_rows,
            total - left_rows as right_rows,
            left_rows as class_size
        from medians
        where {% if relaxed %}high > lowest{% else %}total > left_rows{% endif %}
    ) as medians
),
allowed as (
    select
        region,
        dimension,
        low,
        high,
        split,
        left_rows,
        right_rows
    from (
        select
            region,
            dimension,
            low,
            high,
            split,
            left_rows,
            right_rows,
            right_rows as class_size
        from left_judged
        where left_fails = 0
    ) as sides
    where not (
        {% for model in models %}
        {{ "or" if not loop.first }} ({% include model.template %})
        {% endfor %}
    )
),
{% include "evaluate/widths.sql" %}
select
    row_number() over (order by region nulls first) as number,
    region,
    dimension,
    split,
    left_rows,
    right_rows
from (
    select
        region,
        dimension,
        split,
        left_rows,
        right_rows,
        row_number() over (partition by region order by width desc nulls last, dimension{% if last %} desc nulls last{% else %} nulls first{% endif %}) as place
    from widths
) as ranked
where place = 1
