{# All combinations in one region, keyed by their codes; inputs: frequencies, keys, label (a coded column or none), relaxed; output: region, key_1 …, first_row (of its combination, where combinations are split), label_code, row_count #}
select
    cast(0 as integer) as region,
    {% for parts in keys %}
    {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
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
{% if relaxed and keys %}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
