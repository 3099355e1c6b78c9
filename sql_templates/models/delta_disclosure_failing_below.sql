{#- The rows that other values cannot compensate if a value is too frequent; a value that is too rare may be absent from most parts; reads value_rows, size, share -#}
max((cast(value_rows as double) / size - exp(({% include "judge/limit.sql" %}) * ln(cast(2 as double))) * share - 0.000000000001)
    / greatest(1 - exp(({% include "judge/limit.sql" %}) * ln(cast(2 as double))) * share, 0.000001))
