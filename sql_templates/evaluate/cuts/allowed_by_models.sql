{#- CTEs of cuts and chosen_cuts: the possible cuts both of whose sides satisfy all models; inputs: those of allowed_by_size, candidate_sides_template, failing_cuts and their inputs; output: allowed_by_models (region, dimension, low, high, split, left_rows, right_rows) -#}
{% include "evaluate/cuts/allowed_by_size.sql" %},
candidate_sides as (
    {% include candidate_sides_template %}
),
failing as (
    {% include "evaluate/cuts/failing_cuts.sql" %}
),
allowed_by_models as (
    select allowed_by_size.*
    from allowed_by_size
    left join failing
        on failing.region = allowed_by_size.region
        and failing.dimension = allowed_by_size.dimension
    where failing.region is null
)
