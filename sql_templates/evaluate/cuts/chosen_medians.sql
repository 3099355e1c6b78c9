{#- Part of chosen_cuts: the medians of its values, by counting them; inputs as there; output: that of medians -#}
along as (
    select
        placed.region,
        chosen.{{ "choice" | numbered(place) }} as dimension,
        {% include "evaluate/cuts/chosen_code.sql" %} as code,
        placed.row_count
    from {{ regions | name }} as placed
    join {{ choices | name }} as chosen on chosen.region = placed.region
    where chosen.{{ "choice" | numbered(place) }} is not null
),
counted as (
    select
        region,
        dimension,
        code,
        cast(sum(row_count) as bigint) as row_count
    from along
    group by region, dimension, code
),
{% include "evaluate/cuts/medians.sql" %}
