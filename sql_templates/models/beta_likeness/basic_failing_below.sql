{#- The rows that other values cannot compensate if a value is too frequent; reads value_rows, size, share -#}
max((cast(value_rows as double) / size - (1 + {% include "judge/limit.sql" %}) * share - 0.000000000001) / greatest(1 - (1 + {% include "judge/limit.sql" %}) * share, 0.000001))
