{#- The most frequent value divided by the l-th most frequent and all rarer ones, infinite if there are none; inputs: m.model.l; reads value_rows, frequency_rank -#}
case
    when max(frequency_rank) < {{ m.model.l | number }} then cast(1e300 as double)
    else cast(max(value_rows) as double) / sum(case when frequency_rank >= {{ m.model.l | number }} then value_rows else 0 end)
end
