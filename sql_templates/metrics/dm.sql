{# Discernibility: the square of each published class, all rows for each suppressed one; inputs: classes, rows; output: dm #}
select
    coalesce(sum(case
        when suppressed = 1 then {{ rows | number }} * class_size
        else class_size * class_size
    end), 0) as dm
from {{ classes | name }}
