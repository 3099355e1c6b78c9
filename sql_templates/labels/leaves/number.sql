{# The values of a numeric column; inputs: combinations, q, spelled (whether to add them as text); output: value, position (if finite), listed, row_count, spelled (shortest decimal) #}
select
    {{ q.value | name }} as value,
    case
        when abs(cast({{ q.value | name }} as double)) <= 1.7976931348623157e308 then cast({{ q.value | name }} as double)
    end as position,
    0 as listed,
    {% if spelled %}
    case
        when cast({{ q.value | name }} as varchar) like '%e%' then cast({{ q.value | name }} as varchar)
        when cast({{ q.value | name }} as varchar) like '%.%' then rtrim(rtrim(cast({{ q.value | name }} as varchar), '0'), '.')
        else cast({{ q.value | name }} as varchar)
    end as spelled,
    {% endif %}
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
