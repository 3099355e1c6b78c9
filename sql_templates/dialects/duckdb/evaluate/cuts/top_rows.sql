{# As top_rows, but lines are counted where every row has its own; inputs and output: as there #}
{% extends "evaluate/cuts/top_rows.sql" %}
{% block counted scoped %}
    {% if few_repeats %}
    count_if({% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(choice) }})
    {%- else %}
    sum(case
        when {% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(choice) }} then combination.row_count
        else 0
    end)
    {%- endif %}
{%- endblock %}
