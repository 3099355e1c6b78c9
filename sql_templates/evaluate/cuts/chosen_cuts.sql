{# The cuts of regions along a chosen dimension, where one is allowed; inputs: regions, dimensions, choices (a table), choice (its number there), few_repeats (DuckDB: every row has its own line), least_side (rows without which a side fails), allowed (CTE with the allowed cuts), allowed_template and its inputs; output: region, dimension, split, left_rows, right_rows #}
with
{% block medians %}
{% include "evaluate/cuts/chosen_medians.sql" %}
{% endblock %},
{% include allowed_template %}
select
    region,
    dimension,
    split,
    left_rows,
    right_rows
from {{ allowed | name }}
