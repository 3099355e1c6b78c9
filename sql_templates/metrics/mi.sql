{#- Mutual information of a column and the classes, in bits; reads class_size, entropy, total, whole_entropy -#}
greatest(0.0, max(whole_entropy) - sum(class_size * entropy) / max(total))
