{#- The rows that all other values cannot make up for where a value has more than the most it may have; one too rare may be missing from most parts; reads value_rows, size, share -#}
max((cast(value_rows as double) / size - exp(({% include "judge/limit.sql" %}) * ln(cast(2 as double))) * share - 0.000000000001)
    / greatest(1 - exp(({% include "judge/limit.sql" %}) * ln(cast(2 as double))) * share, 0.000001))
