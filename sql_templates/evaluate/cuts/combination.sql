{#- The columns of a combination; inputs: dimensions, codes (columns with codes of sensitive values and persons); output: code_1 …, the codes -#}
{% for d in dimensions %}
{{ "code" | numbered(d.number) }},
{% endfor %}
{% for code in codes %}
{{ code | name }},
{% endfor %}
