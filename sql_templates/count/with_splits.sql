{# A column's values, and those at which a plan cuts it, as leaves of no row; inputs: combinations, q, splits (place, value); output: the value, row_count #}
select
    {{ q.value | name }},
    row_count
from {{ combinations | name }}
union all
select
    value,
    0 as row_count
from {{ splits | name }}
