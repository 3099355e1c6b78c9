{# The cuts of regions whose chosen dimension allows one; inputs: regions, dimensions, choices (a table), place (of the choice), codes, what judges sides, relaxed, few_repeats (most combinations are of one row); output: region, dimension, split, left_rows, right_rows #}
with along as (
    select
        placed.region,
        chosen.{{ "choice" | numbered(place) }} as dimension,
        case
            {% for d in dimensions %}
            when chosen.{{ "choice" | numbered(place) }} = {{ d.number | number }} then placed.{{ "code" | numbered(d.number) }}
            {% endfor %}
        end as code,
        placed.row_count
    from {{ regions | name }} as placed
    join {{ choices | name }} as chosen on chosen.region = placed.region
    where chosen.{{ "choice" | numbered(place) }} is not null
),
{% block medians %}
{% include "evaluate/chosen_medians.sql" %}
{% endblock %},
{% include "evaluate/allowed_cuts.sql" %}
select
    region,
    dimension,
    split,
    left_rows,
    right_rows
from allowed
