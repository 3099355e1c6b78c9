{# Average class size relative to k; inputs: classes, rows, k; output: c_avg (none without a published class) #}
select
    1.0 * {{ rows | number }} / nullif(sum(1 - suppressed) * {{ k | number }}, 0) as c_avg
from {{ classes | name }}
