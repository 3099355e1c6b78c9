{# The values of a column, and those at which a plan cuts it, as leaves without rows; inputs: combinations, q, splits (number, value); output: the value, row_count #}
select
    {{ q.value | name }},
    row_count
from {{ combinations | name }}
union all
select
    value,
    0 as row_count
from {{ splits | name }}
