{#- The share of rows that are alone in their class; reads class_size -#}
cast(coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as double) / sum(class_size)
