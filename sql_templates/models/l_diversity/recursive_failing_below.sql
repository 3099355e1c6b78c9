{#- The excess of the most frequent value over c times the tail, as a share of rows: at most 1 in any part, and in the mean of all parts not below that of the class; inputs: m.model.l; reads value_rows, frequency_rank -#}
(max(value_rows) - ({% include "judge/limit.sql" %}) * sum(case when frequency_rank >= {{ m.model.l | number }} then value_rows else 0 end)) / cast(sum(value_rows) as double)
