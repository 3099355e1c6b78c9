{#- Whether a class fails k-anonymity; inputs: model.k, counted (the column with the size of a class) -#}
{{ counted | name }} < {{ model.k | number }}
