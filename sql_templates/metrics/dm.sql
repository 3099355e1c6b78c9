{#- Discernibility: the square of each published class, all rows for each suppressed one; inputs: rows, suppressed (the column that marks suppressed classes); reads class_size -#}
coalesce(sum(case
    when {{ suppressed | name }} = 1 then cast({{ rows | number }} as hugeint) * class_size
    else cast(class_size as hugeint) * class_size
end), 0)
