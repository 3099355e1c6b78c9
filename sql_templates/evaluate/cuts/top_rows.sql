{# How many rows of each region have its highest code along the dimensions chosen for it; inputs: regions, dimensions, choices (a table), tops (how many of them), few_repeats (as in chosen_cuts); output: region, rows_1 … #}
select
    placed.region,
    {% for place in range(1, tops + 1) %}
    {% block counted scoped %}
    cast(sum(case when {% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(place) }} then placed.row_count else 0 end) as bigint)
    {%- endblock %} as {{ "rows" | numbered(place) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ regions | name }} as placed
join {{ choices | name }} as chosen on chosen.region = placed.region
group by placed.region
