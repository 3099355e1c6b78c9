{#- The entropy of a class's values, in bits; reads value_rows -#}
(ln(cast(sum(value_rows) as double)) - sum(value_rows * ln(cast(value_rows as double))) / cast(sum(value_rows) as double)) / ln(cast(2 as double))
