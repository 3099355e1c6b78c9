{#- A class fails k-anonymity; inputs: model.k, counted (the column that says how large a class is) -#}
{{ counted | name }} < {{ model.k | number }}
