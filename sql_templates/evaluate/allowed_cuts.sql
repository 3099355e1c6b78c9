{#- Part of cuts and chosen_cuts: cuts whose sides both satisfy the policy; inputs: models, relaxed; reads medians; output: allowed (region, dimension, low, high, split, left_rows, right_rows) -#}
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
)
