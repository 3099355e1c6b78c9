{#- A leaf under a label; inputs: c (unlisted); output: position, row_count, is_unlisted -#}
position,
row_count,
case when value is not null and listed >= {{ c.unlisted | number }} then 1 else 0 end as is_unlisted,
