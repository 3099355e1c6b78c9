{#- Part of chosen_cuts: the medians of its values, by counting them; inputs as there; reads along; output: that of medians -#}
counted as (
    select
        region,
        dimension,
        code,
        cast(sum(row_count) as bigint) as row_count
    from along
    group by region, dimension, code
),
{% include "evaluate/medians.sql" %}
