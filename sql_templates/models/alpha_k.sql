{#- The share of a class's most frequent value; reads value_rows -#}
cast(max(value_rows) as double) / sum(value_rows)
