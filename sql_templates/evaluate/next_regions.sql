{# The combinations of the sides that may be cut again; inputs: regions, cuts, dimensions, keys, label, relaxed, least_rows; output: region, key_1 …, first_row, label_code, row_count #}
select
    cast(2 * number + side as integer) as region,
    {% for key in range(1, keys + 1) %}
    {{ "key" | numbered(key) }},
    {% endfor %}
    {% if relaxed %}
    first_row,
    {% endif %}
    {% if label %}
    label_code,
    {% endif %}
    row_count
from (
    {% if relaxed %}
    {% include "evaluate/halves.sql" %}
    {% else %}
    {% include "evaluate/sides.sql" %}
    join {{ cuts | name }} as cut on cut.region = placed.region
    {% endif %}
) as sides
where case when side = 0 then left_rows else right_rows end >= {{ least_rows | number }}
