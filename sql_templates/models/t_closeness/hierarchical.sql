{#- The shares that must move at each inner node, weighted by its height; inputs: j.values.height; reads level, surplus, balance -#}
sum(cast(level as double) / {{ [group.values.height, 1] | max | number }} * case when balance > 0 then surplus - balance else surplus end)
