{#- Discrimination rate: the share of a column's entropy that the classes remove; reads class_size, entropy, total, whole_entropy -#}
case
    when max(whole_entropy) = 0 then 0.0
    else greatest(0.0, 1 - sum(class_size * entropy) / max(total) / max(whole_entropy))
end
