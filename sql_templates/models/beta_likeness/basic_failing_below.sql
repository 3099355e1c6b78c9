{#- The rows that all other values cannot make up for where a value has more than the most it may have; reads value_rows, size, share -#}
max((cast(value_rows as double) / size - (1 + {% include "judge/limit.sql" %}) * share - 0.000000000001) / greatest(1 - (1 + {% include "judge/limit.sql" %}) * share, 0.000001))
