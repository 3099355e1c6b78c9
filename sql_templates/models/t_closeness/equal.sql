{#- Half the sum of |p - q|, which is the sum of p - q where p is larger, so absent values need not be read; reads value_rows, size, share -#}
sum(case
    when cast(value_rows as double) / size > share then cast(value_rows as double) / size - share
    else 0.0
end)
