{# The cuts of regions whose chosen dimension allows one; inputs: regions, dimensions, choices (a table), place (of the choice), codes, what judges sides, relaxed, few_repeats (every row has a line of its own, where the engine gains by it), least_side (rows without which a side fails); output: region, dimension, split, left_rows, right_rows #}
with
{% block medians %}
{% include "evaluate/cuts/chosen_medians.sql" %}
{% endblock %},
{% include "evaluate/cuts/allowed_cuts.sql" %}
select
    region,
    dimension,
    split,
    left_rows,
    right_rows
from allowed
