{#- The share of rows in classes whose risk is above a threshold; inputs: at_most (the largest size of such a class); reads class_size -#}
cast(coalesce(sum(case when class_size <= {{ at_most | number }} then class_size else 0 end), 0) as double) / sum(class_size)
