{#- The rows that other values cannot compensate if a value is too frequent; reads value_rows, size, share -#}
max((cast(value_rows as double) / size - (1 + least({% include "judge/limit.sql" %}, -ln(share))) * share - 0.000000000001) / greatest(1 - (1 + least({% include "judge/limit.sql" %}, -ln(share))) * share, 0.000001))
