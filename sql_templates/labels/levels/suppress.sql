{# Leaves whose only label is the root; inputs: leaves; output: value, position, listed, row_count, label_1 #}
select
    value,
    position,
    listed,
    row_count,
    '*' as label_1
from {{ leaves | name }}
