{# The same cuts; where every row has a line of its own, medians are found without counting and sorting values, and of the right side it is only asked whether it has as many rows as a side needs; inputs (least_side: that number) and output as in chosen_cuts #}
{% extends "evaluate/cuts/chosen_cuts.sql" %}
{% block medians %}
{% if few_repeats %}
splits as (
    select
        placed.region,
        any_value(chosen.{{ "choice" | numbered(place) }}) as dimension,
        quantile_disc({% include "evaluate/cuts/chosen_code.sql" %}, 0.5) as split,
        max({% include "evaluate/cuts/chosen_code.sql" %}, {{ least_side | number }}) as largest,
        count(*) as total
    from {{ regions | name }} as placed
    join {{ choices | name }} as chosen on chosen.region = placed.region
    where chosen.{{ "choice" | numbered(place) }} is not null
    group by placed.region
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
{% else %}
{% include "evaluate/cuts/chosen_medians.sql" %}
{% endif %}
{% endblock %}
