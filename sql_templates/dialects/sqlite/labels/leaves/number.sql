{# Columns hold values of any type here; what is no number, or too near the end of 64 bits to reckon with, has no position; a cast of a number to text would keep 15 digits. Same inputs and output as the common template. #}
select
    {{ q.value | name }} as value,
    case
        when typeof({{ q.value | name }}) = 'integer' and abs({{ q.value | name }} / 2) < 4600000000000000000 then cast({{ q.value | name }} as real)
        {% if q.column.kind != "integer" %}
        when typeof({{ q.value | name }}) = 'real' and abs({{ q.value | name }}) <= 1.7976931348623157e308 then {{ q.value | name }}
        {% endif %}
    end as position,
    0 as listed,
    {% if spelled %}
    case
        when typeof({{ q.value | name }}) <> 'real' or {{ q.value | name }} like '%e%' then cast({{ q.value | name }} as text)
        when cast(printf('%!.15g', {{ q.value | name }}) as real) = {{ q.value | name }} then rtrim(rtrim(printf('%!.15g', {{ q.value | name }}), '0'), '.')
        when cast(printf('%!.16g', {{ q.value | name }}) as real) = {{ q.value | name }} then rtrim(rtrim(printf('%!.16g', {{ q.value | name }}), '0'), '.')
        else printf('%!.17g', {{ q.value | name }})
    end as spelled,
    {% endif %}
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
