{#- How many distinct values a class has; reads value_rows -#}
cast(count(*) as double)
