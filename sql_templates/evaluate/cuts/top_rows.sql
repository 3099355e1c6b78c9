{# The rows of each region that have its highest code along the dimensions chosen for it; inputs: regions, dimensions, choices (a table), top_count (choices to count), few_repeats (DuckDB: every row has its own line); output: region, rows_1 … #}
select
    combination.region,
    {% for choice in range(1, top_count + 1) %}
    {% block counted scoped %}
    cast(sum(case
        when {% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(choice) }} then combination.row_count
        else 0
    end) as bigint)
    {%- endblock %} as {{ "rows" | numbered(choice) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ regions | name }} as combination
join {{ choices | name }} as chosen on chosen.region = combination.region
group by combination.region
