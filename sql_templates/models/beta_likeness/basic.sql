{#- The largest relative gain (p - q) / q, 0 without a gain; reads value_rows, size, share -#}
max(case
    when cast(value_rows as double) / size > share then (cast(value_rows as double) / size - share) / share
    else 0.0
end)
