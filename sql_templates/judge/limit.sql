{#- The limit of a model in the unit of its measure; inputs: m.model -#}
{% if m.model.is_logarithmic %}
ln(cast({{ m.model.limit.as_integer_ratio()[0] | number }} as double) / {{ m.model.limit.as_integer_ratio()[1] | number }})
    / ln(cast(2 as double))
{% else %}
cast({{ m.model.limit.as_integer_ratio()[0] | number }} as double) / {{ m.model.limit.as_integer_ratio()[1] | number }}
{% endif %}
