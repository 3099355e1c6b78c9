{#- CTEs of chosen_cuts: the medians along the chosen dimensions where every row has its own line, without counting and sorting values; left_rows is exact only as far as whether the right side has least_side rows; inputs: regions, dimensions, choices, choice, least_side; output: that of medians, with null for low and high -#}
splits as (
    select
        combination.region,
        any_value(chosen.{{ "choice" | numbered(choice) }}) as dimension,
        quantile_disc({% include "evaluate/cuts/chosen_code.sql" %}, 0.5) as split,
        max({% include "evaluate/cuts/chosen_code.sql" %}, {{ least_side | number }}) as largest,
        count(*) as total
    from {{ regions | name }} as combination
    join {{ choices | name }} as chosen on chosen.region = combination.region
    where chosen.{{ "choice" | numbered(choice) }} is not null
    group by combination.region
),
medians as (
    select
        region,
        dimension,
        null as low,
        null as high,
        split,
        case when largest[{{ least_side | number }}] > split then total - {{ least_side | number }} else total end as left_rows,
        total
    from splits
)
