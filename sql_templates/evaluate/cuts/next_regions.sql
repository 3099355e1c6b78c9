{# The combinations of the sides that may be cut again; inputs: regions, cuts, dimensions, codes, relaxed, least_rows, small_sides (whether a side has fewer), clusters (whether rows of a region are to be stored together, where an engine gains by it); output: region, code_1 …, first_row, the codes, row_count #}
select
    cast(2 * number + side as integer) as region,
    {% for d in dimensions %}
    {{ "code" | numbered(d.number) }},
    {% endfor %}
    {% if relaxed %}
    first_row,
    {% endif %}
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    row_count
from (
    {% if relaxed %}
    {% include "evaluate/cuts/halves.sql" %}
    {% else %}
    {% include "evaluate/cuts/sides.sql" %}
    join {{ cuts | name }} as cut on cut.region = placed.region
    {% endif %}
) as sides
{% if relaxed or small_sides %}
where case when side = 0 then left_rows else right_rows end >= {{ least_rows | number }}
{% endif %}
{% block clustered %}
{% endblock %}
