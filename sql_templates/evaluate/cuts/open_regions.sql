{# All combinations in one region, by their codes; inputs: frequencies, dimensions, codes (columns with codes of sensitive values and persons), relaxed, few_repeats (DuckDB: every row gets its own line, the first with the count and the others with 0); output: region, code_1 …, first_row (0; relaxed cuts split combinations by it), the codes, row_count #}
select
    cast(0 as integer) as region,
    {% for d in dimensions %}
    cast({{ d.part | name }} // {{ d.stride | number }} as integer) as {{ "code" | numbered(d.number) }},
    {% endfor %}
    {% if relaxed %}
    cast(0 as bigint) as first_row,
    {% endif %}
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    row_count
from {{ frequencies | name }}
{% block each_row %}
{% endblock %}
