{#- Maximum information leakage of one class, in bits; reads class_size, entropy, total, whole_entropy -#}
max(whole_entropy - class_size * entropy / total)
