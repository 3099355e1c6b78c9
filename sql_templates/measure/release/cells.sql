{# Number of distinct cells and of NULL cells; inputs: labels, as_bounds; output: cells, row_count, null_cells #}
select
    count(*) as cells,
    coalesce(sum(row_count), 0) as row_count,
    coalesce(sum(case
        {% if as_bounds %}
        when low is null and high is null then 1
        {% else %}
        when label is null then 1
        {% endif %}
        else 0
    end), 0) as null_cells
from {{ labels | name }}
