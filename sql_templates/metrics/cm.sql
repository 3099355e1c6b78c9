{#- Classification: rows whose label is not their class's most frequent one, and every suppressed row; inputs: suppressed (the column that says so); reads class_size, majority -#}
coalesce(sum(case
    when {{ suppressed | name }} = 1 then class_size
    else class_size - majority
end), 0)
