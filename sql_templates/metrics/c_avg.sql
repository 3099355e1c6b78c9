{# Average class size relative to k; inputs: classes, rows, k; output: c_avg (none without a published class) #}
select
    cast({{ rows | number }} as double) / nullif(sum(1 - suppressed) * {{ k | number }}, 0) as c_avg
from {{ classes | name }}
