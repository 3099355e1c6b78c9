{#- Joins of the codes of a combination's sensitive values and person; inputs: values, persons; reads combination -#}
{% for v in values %}
left join {{ v.codes | name }} as {{ "codes" | numbered(v.number) }}
    on {{ "codes" | numbered(v.number) }}.value = combination.{{ v.q.value | name }}
{% endfor %}
{% if persons %}
left join {{ persons | name }} as persons on persons.value = combination.person_value
{% endif %}
