{#- Part of by_recoding: the source's rows with the packed keys of their combination, and where combinations are split with a random number among its rows; inputs as there; output: key_1 …, the codes, number, carried_1 … -#}
{% if splits %}
select
    {% for key in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for code in codes %}
    {{ code.name | name }},
    {% endfor %}
    {% for p in published if not p.from_class %}
    {{ "carried" | numbered(p.place) }},
    {% endfor %}
    row_number() over (
        {% if keys or codes %}
        partition by
            {% for key in keys %}
            {{ "key" | numbered(loop.index) }}{{ "," if codes or not loop.last }}
            {% endfor %}
            {% for code in codes %}
            {{ code.name | name }}{{ "," if not loop.last }}
            {% endfor %}
        {% endif %}
        order by shuffled nulls first
    ) as number
from (
{% endif %}
select
    {% for key in keys %}
    {% for c in key %}
    {{ "+ " if not loop.first }}case
        when source_row.{{ c.column.name | name }} is null then 0
        else {{ "h" | numbered(c.number) }}.part_0
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
    {{ "p" | numbered(p.place) }}.{{ p.found | name }} as {{ "carried" | numbered(p.place) }},
    {% elif not p.from_class %}
    source_row.{{ p.column.name | name }} as {{ "carried" | numbered(p.place) }},
    {% endif %}
    {% endfor %}
    {% if splits %}
    random() as shuffled
    {% else %}
    1 as counted
    {% endif %}
from {{ source | name }} as source_row
{% for key in keys %}
{% for c in key %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = {{ c.column | exact("source_row") }}
{% endfor %}
{% endfor %}
{% for code in codes %}
left join {{ code.table | name }} as {{ "codes" | numbered(loop.index) }}
    on {{ "codes" | numbered(loop.index) }}.value = {{ code.column | exact("source_row") }}
{% endfor %}
{% for p in published %}
{% if p.pseudonyms %}
left join {{ p.pseudonyms | name }} as {{ "p" | numbered(p.place) }}
    on {{ "p" | numbered(p.place) }}.value = {{ p.original | exact("source_row") }}
{% endif %}
{% endfor %}
{% if splits %}
) as shuffled_rows
{% endif %}
