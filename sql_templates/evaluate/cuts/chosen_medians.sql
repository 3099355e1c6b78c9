{#- CTEs of chosen_cuts: the medians along the chosen dimensions, by counting values; inputs: regions, dimensions, choices, choice, relaxed; output: that of medians -#}
along as (
    select
        combination.region,
        chosen.{{ "choice" | numbered(choice) }} as dimension,
        {% include "evaluate/cuts/chosen_code.sql" %} as code,
        combination.row_count
    from {{ regions | name }} as combination
    join {{ choices | name }} as chosen on chosen.region = combination.region
    where chosen.{{ "choice" | numbered(choice) }} is not null
),
counted as (
    select
        region,
        dimension,
        code,
        cast(sum(row_count) as bigint) as row_count
    from along
    group by
        region,
        dimension,
        code
),
{% include "evaluate/cuts/medians.sql" %}
