{#- Information-theoretic privacy risk of the class at the highest risk; reads class_size, entropy, total, whole_entropy, classes -#}
case
    when max(whole_entropy) = 0 then 0.0
    else greatest(0.0, max(1 - cast(classes as double) * class_size * entropy / (total * nullif(whole_entropy, 0))))
end
