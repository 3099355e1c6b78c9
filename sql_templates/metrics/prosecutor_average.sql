{#- The same chance on average over all rows; reads class_size -#}
cast(count(*) as double) / sum(class_size)
