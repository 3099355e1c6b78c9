{#- Part of keyed and numbered: the packed keys of a row's combination, its codes, and the columns published from the row; inputs as in release; output: key_1 …, the codes, carried_1 … -#}
{% for key in keys %}
{% for p in key %}
{{ "+ " if not loop.first }}case
    when source_row.{{ p.coded.column.name | name }} is null then 0
    {% if p.maps %}
    else getvariable('{{ p.maps | written }}').{{ "map" | numbered(p.coded.number) }}[{{ p.coded.column | exact("source_row") }}]
    {% else %}
    else {{ "h" | numbered(p.coded.number) }}.{{ "part" | numbered(p.level) }}
    {% endif %}
end
{% endfor %}
as {{ "key" | numbered(loop.index) }},
{% endfor %}
{% for code in codes %}
case
    when source_row.{{ code.column.name | name }} is null then 0
    else {{ "codes" | numbered(loop.index) }}.code
end as {{ code.name | name }},
{% endfor %}
{% for p in published %}
{% if p.pseudonyms %}
{{ "p" | numbered(p.position) }}.{{ p.found | name }} as {{ "carried" | numbered(p.position) }},
{% elif p.is_carried %}
source_row.{{ p.column.name | name }} as {{ "carried" | numbered(p.position) }},
{% endif %}
{% endfor %}
