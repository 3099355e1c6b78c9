{#- Average class size relative to k, none without a published class; inputs: rows, k, suppressed (the column that says so) -#}
cast({{ rows | number }} as double) / nullif(sum(1 - {{ suppressed | name }}) * {{ k | number }}, 0)
