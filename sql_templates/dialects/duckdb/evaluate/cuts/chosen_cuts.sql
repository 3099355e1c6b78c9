{# As chosen_cuts, but with faster medians where every row has its own line; inputs and output: as there #}
{% extends "evaluate/cuts/chosen_cuts.sql" %}
{% block medians %}
{% if few_repeats %}
{% include "dialects/duckdb/evaluate/cuts/row_medians.sql" %}
{% else %}
{% include "evaluate/cuts/chosen_medians.sql" %}
{% endif %}
{% endblock %}
