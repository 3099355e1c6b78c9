{#- CTEs of cuts and chosen_cuts: the possible cuts both of whose sides are large enough; inputs: relaxed, side_rows (rows that each side needs for the average risk), size_models, counted; reads medians; output: allowed_by_size (region, dimension, low, high, split, left_rows, right_rows) -#}
left_judged as (
    select
        region,
        dimension,
        low,
        high,
        split,
        left_rows,
        right_rows,
        {% include "judge/too_small.sql" %} as left_fails
    from (
        select
            region,
            dimension,
            low,
            high,
            split,
            left_rows,
            total - left_rows as right_rows,
            left_rows as {{ counted | name }}
        from medians
        where
            {% if relaxed %}
            high > lowest
            {% else %}
            total > left_rows
            {% endif %}
            and left_rows >= {{ side_rows | number }}
            and total - left_rows >= {{ side_rows | number }}
    ) as medians
),
allowed_by_size as (
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
            right_rows as {{ counted | name }}
        from left_judged
        where left_fails < 1
    ) as sides
    where {% include "judge/too_small.sql" %} < 1
)
