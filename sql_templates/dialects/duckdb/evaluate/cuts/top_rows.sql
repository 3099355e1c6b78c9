{# The same; where every row has a line of its own, lines are counted; inputs and output as in top_rows #}
{% extends "evaluate/cuts/top_rows.sql" %}
{% block counted scoped %}
    {% if few_repeats %}
    count_if({% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(place) }})
    {%- else %}
    sum(case when {% include "evaluate/cuts/chosen_code.sql" %} = chosen.{{ "top" | numbered(place) }} then placed.row_count else 0 end)
    {%- endif %}
{%- endblock %}
