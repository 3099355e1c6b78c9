{# The combinations of the sides that may be cut again; inputs: regions, cuts, dimensions, label, relaxed, least_rows, clusters (whether rows of a region are to be stored together, where an engine gains by it); output: region, code_1 …, first_row, label_code, row_count #}
select
    cast(2 * number + side as integer) as region,
    {% for d in dimensions %}
    {{ "code" | numbered(d.number) }},
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
{% block clustered %}
{% endblock %}
