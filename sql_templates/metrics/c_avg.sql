{#- Average class size relative to k, NULL without a published class; inputs: rows, k, suppressed (the column that marks suppressed classes) -#}
cast({{ rows | number }} as double) / nullif(sum(1 - {{ suppressed | name }}) * {{ k | number }}, 0)
