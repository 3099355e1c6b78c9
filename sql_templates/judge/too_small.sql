{#- 1 where a class is too small, else 0; inputs: sized (models), counted (the column that says how large a class is) -#}
{% if sized %}
case
    {% for model in sized %}
    when {% include model.measure %} then 1
    {% endfor %}
    else 0
end
{% else %}
0
{% endif %}
