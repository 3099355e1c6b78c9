{#- The limit of a model as its measure has it; inputs: m.model -#}
{% if m.model.is_logarithmic %}
ln(cast({{ m.model.fraction[0] | number }} as double) / {{ m.model.fraction[1] | number }}) / ln(cast(2 as double))
{% else %}
cast({{ m.model.fraction[0] | number }} as double) / {{ m.model.fraction[1] | number }}
{% endif %}
