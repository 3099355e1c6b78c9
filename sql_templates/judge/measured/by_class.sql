{#- Part of windows over the values of a class; inputs: key_count -#}
{% if key_count %}
partition by
{% for key in range(1, key_count + 1) %}
{{ "key" | numbered(key) }}{{ "," if not loop.last }}
{% endfor %}
{% endif %}
