{# A numeric column's values where they stand; inputs: combinations, q; output: value, position (finite ones), listed, row_count #}
select
    {{ q.value | name }} as value,
    case
        when abs(cast({{ q.value | name }} as double)) <= 1.7976931348623157e308 then cast({{ q.value | name }} as double)
    end as position,
    0 as listed,
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
