{#- Part of release: the condition that a row belongs to an assigned combination; inputs as in release; reads assigned, numbered -#}
{% for key in keys %}
and assigned.{{ "key" | numbered(loop.index) }} = numbered.{{ "key" | numbered(loop.index) }}
{% endfor %}
{% for code in codes %}
and assigned.{{ code.name | name }} = numbered.{{ code.name | name }}
{% endfor %}
{% if splits %}
and numbered.number between assigned.first_row and assigned.last_row
{% endif %}
