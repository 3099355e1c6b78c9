{#- The columns of a leaf; inputs: height; output: value, position, listed, row_count, label_1 … -#}
value,
position,
listed,
row_count,
{% for level in range(1, height + 1) %}
{{ "label" | numbered(level) }},
{% endfor %}
