{#- A class fails k-anonymity; inputs: model.k; reads class_size -#}
class_size < {{ model.k | number }}
