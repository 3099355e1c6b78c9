{# A category's values; inputs: combinations, q; output: value, position (none), listed (0: no file names them), row_count #}
select
    {{ q.value | name }} as value,
    cast(null as double) as position,
    0 as listed,
    sum(row_count) as row_count
from {{ combinations | name }}
group by {{ q.value | name }}
