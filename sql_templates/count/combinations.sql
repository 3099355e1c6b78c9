{# The distinct combinations of raw values in the source; inputs: source, quasi_identifiers (and sensitive columns), entity (a column or None); output: v1, v2, …, person_value, row_count #}
select
    {% for q in quasi_identifiers %}
    {{ q.column | exact }} as {{ q.value | name }},
    {% endfor %}
    {% if entity %}
    {{ entity | exact }} as person_value,
    {% endif %}
    count(*) as row_count
from {{ source | name }} as source_row
group by
    {% for q in quasi_identifiers %}
    {{ q.column | exact }}{{ "," if entity or not loop.last }}
    {% endfor %}
    {% if entity %}
    {{ entity | exact }}
    {% endif %}
