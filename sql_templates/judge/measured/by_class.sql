{#- Part of the window over the values of one class; inputs: key_count -#}
{% if key_count %}
partition by
{% for key in range(1, key_count + 1) %}
{{ "key" | numbered(key) }}{{ "," if not loop.last }}
{% endfor %}
{% endif %}
