{#- 1 if a class is too small, else 0; inputs: size_models, counted (column with the size of a class) -#}
{% if size_models %}
case
    {% for model in size_models %}
    when {% include model.measure %} then 1
    {% endfor %}
    else 0
end
{% else %}
0
{% endif %}
