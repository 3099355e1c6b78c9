{# The source's distinct combinations of raw values; inputs: source, quasi_identifiers; output: v1, v2, …, row_count #}
select
    {% for q in quasi_identifiers %}
    {{ q.column | exact }} as {{ q.value | name }},
    {% endfor %}
    count(*) as row_count
from {{ source | name }} as source_row
group by
    {% for q in quasi_identifiers %}
    {{ q.column | exact }}{{ "," if not loop.last }}
    {% endfor %}
