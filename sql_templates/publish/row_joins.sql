{#- Part of keyed and numbered: the source with the codes of its quasi-identifiers and sensitive values, and pseudonyms; inputs as in release; output: source_row, h_1 …, codes_1 …, p_1 … -#}
from {{ source | name }} as source_row
{% for key in keys %}
{% for p in key if not p.maps %}
left join {{ p.coded.hierarchy_table | name }} as {{ "h" | numbered(p.coded.number) }}
    on {{ "h" | numbered(p.coded.number) }}.value = {{ p.coded.column | exact("source_row") }}
{% endfor %}
{% endfor %}
{% for code in codes %}
left join {{ code.table | name }} as {{ "codes" | numbered(loop.index) }}
    on {{ "codes" | numbered(loop.index) }}.value = {{ code.column | exact("source_row") }}
{% endfor %}
{% for p in published %}
{% if p.pseudonyms %}
left join {{ p.pseudonyms | name }} as {{ "p" | numbered(p.position) }}
    on {{ "p" | numbered(p.position) }}.value = {{ p.original | exact("source_row") }}
{% endif %}
{% endfor %}
{% if whole_persons %}
where source_row.{{ whole_persons.original.name | name }} is null or {{ "p" | numbered(whole_persons.position) }}.{{ whole_persons.found | name }} is not null
{% endif %}
