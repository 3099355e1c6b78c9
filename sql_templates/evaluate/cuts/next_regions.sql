{# The combinations of the sides that may be cut again; inputs: sides_template and its inputs, dimensions, codes, relaxed, least_rows (of such a side), small_sides (whether a side has fewer), clusters (DuckDB: whether the rows of a region are stored together); output: region, code_1 …, first_row, the codes, row_count #}
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
    {% include sides_template %}
) as sides
{% if relaxed or small_sides %}
where case when side = 0 then left_rows else right_rows end >= {{ least_rows | number }}
{% endif %}
{% block clustered %}
{% endblock %}
