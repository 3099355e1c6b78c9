{# SQLite columns hold values of any type: a value that is not a number, or too close to the limits of 64 bits to compute with, gets no position, and a cast of a number to text would keep 15 digits; inputs and output: as in the common template #}
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
