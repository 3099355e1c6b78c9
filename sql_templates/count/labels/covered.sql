{#- What a label covers; reads leaves (position, row_count, is_unlisted); output: leaves, row_count, extent, values_present, spread, has_unlisted -#}
count(*) as leaves,
sum(row_count) as row_count,
max(position) - min(position) as extent,
sum(case when row_count > 0 then 1 else 0 end) as values_present,
sum(case when row_count > 0 then row_count * ln(cast(row_count as double)) else 0.0 end) as spread,
max(is_unlisted) as has_unlisted,
