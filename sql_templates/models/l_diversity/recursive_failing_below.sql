{#- What the most frequent value is above c times the tail, as a share of rows: in no part more than 1, and in the mean of all parts no less than in the class; inputs: m.model.l; reads value_rows, frequency_rank -#}
(max(value_rows) - ({% include "judge/limit.sql" %}) * sum(case when frequency_rank >= {{ m.model.l | number }} then value_rows else 0 end)) / cast(sum(value_rows) as double)
