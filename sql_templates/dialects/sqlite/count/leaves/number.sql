{# Columns hold values of any type here; what is no number, or too near the end of 64 bits to reckon with, has no position. Same inputs and output as the common template. #}
select
    {{ q.value | name }} as value,
    case
        when typeof({{ q.value | name }}) = 'integer' and abs({{ q.value | name }} / 2) < 4600000000000000000 then cast({{ q.value | name }} as real)
        {% if q.column.kind != "integer" %}
        when typeof({{ q.value | name }}) = 'real' and abs({{ q.value | name }}) <= 1.7976931348623157e308 then {{ q.value | name }}
        {% endif %}
    end as position,
    0 as listed,
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
