{#- Classification: rows whose label is not the most frequent one of their class, and every suppressed row; inputs: suppressed (the column that marks suppressed classes); reads class_size, majority -#}
coalesce(sum(case
    when {{ suppressed | name }} = 1 then class_size
    else class_size - majority
end), 0)
