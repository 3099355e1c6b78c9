{#- The number of distinct values of a class; reads value_rows -#}
cast(count(*) as double)
