{#- The highest probability of naming the row of a person known to be in the table; reads class_size -#}
cast(1 as double) / min(class_size)
