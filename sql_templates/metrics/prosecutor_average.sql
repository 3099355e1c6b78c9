{#- The probability of naming the row of a person known to be in the table, on average over all rows; reads class_size -#}
cast(count(*) as double) / sum(class_size)
