{#- The largest |log2(p / q)| of a value present; reads value_rows, size, share -#}
max(abs(ln(cast(value_rows as double) / size / share))) / ln(cast(2 as double))
