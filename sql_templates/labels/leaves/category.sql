{# The values of a category; inputs: combinations, q; output: value, position (NULL), listed (0: not from a list), row_count #}
select
    {{ q.value | name }} as value,
    cast(null as double) as position,
    0 as listed,
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
