{#- Part of by_recoding: the source's rows with the packed keys of their combination, and where combinations are split with a random number among its rows; inputs as there; output: key_1 …, number, carried_1 … -#}
{% if splits %}
select
    {% for key in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for p in published if not p.from_class %}
    {{ "carried" | numbered(p.place) }},
    {% endfor %}
    row_number() over (
        {% if keys %}
        partition by {% for key in keys %}{{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}{% endfor %}

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
    {% for p in published %}
    {% if p.pseudonyms %}
    {{ "p" | numbered(p.place) }}.pseudonym as {{ "carried" | numbered(p.place) }},
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
{% for p in published %}
{% if p.pseudonyms %}
left join {{ p.pseudonyms | name }} as {{ "p" | numbered(p.place) }}
    on {{ "p" | numbered(p.place) }}.value = {{ p.original | exact("source_row") }}
{% endif %}
{% endfor %}
{% if splits %}
) as shuffled_rows
{% endif %}
