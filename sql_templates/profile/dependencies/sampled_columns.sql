{#- Part of sample: the columns of a row of the source; inputs: columns (column, levels), entity (a column or None), kept (columns); output: v1 …, person, c_1 … -#}
{% for c, levels in columns %}
{{ c.column | exact }} as {{ c.quasi_identifier.value | name }},
{% endfor %}
{% if entity %}
{{ entity | exact }} as person,
{% endif %}
{% for column in kept %}
{{ column | exact }} as {{ "c" | numbered(loop.index) }},
{% endfor %}
