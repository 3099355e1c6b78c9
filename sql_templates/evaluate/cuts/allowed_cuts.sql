{#- Part of cuts and chosen_cuts: cuts whose sides both satisfy the policy; inputs: regions, dimensions, codes, relaxed, side_rows (a side has at least so many), sized, judgements, measures, persons; reads medians; output: allowed (region, dimension, low, high, split, left_rows, right_rows) -#}
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
            {% if relaxed %}high > lowest{% else %}total > left_rows{% endif %}

            and left_rows >= {{ side_rows | number }}
            and total - left_rows >= {{ side_rows | number }}
    ) as medians
),
{{ ("allowed_by_size" if judgements or persons else "allowed") | name }} as (
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
        where left_fails = 0
    ) as sides
    where {% include "judge/too_small.sql" %} = 0
)
{% if judgements or persons %}
,
sided as (
    {% include "evaluate/cuts/sided.sql" %}
),
failing as (
    {% include "evaluate/cuts/failing_cuts.sql" %}
),
allowed as (
    select allowed_by_size.*
    from allowed_by_size
    left join failing
        on failing.region = allowed_by_size.region
        and failing.dimension = allowed_by_size.dimension
    where failing.region is null
)
{% endif %}
