{# All combinations in one region, by their codes; inputs: frequencies, dimensions, label (a coded column or none), relaxed; output: region, code_1 … (of the dimensions), first_row (of its combination, where combinations are split), label_code, row_count #}
select
    cast(0 as integer) as region,
    {% for d in dimensions %}
    cast({{ d.part | name }} // {{ d.stride | number }} as integer) as {{ "code" | numbered(d.number) }},
    {% endfor %}
    {% if relaxed %}
    cast(0 as bigint) as first_row,
    cast(sum(row_count) as bigint) as row_count
    {% else %}
    {% if label %}
    {{ label.quasi_identifier.part(0) | name }} as label_code,
    {% endif %}
    row_count
    {% endif %}
from {{ frequencies | name }}
{% if relaxed and dimensions %}
group by
    {% for d in dimensions %}
    {{ d.part | name }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
