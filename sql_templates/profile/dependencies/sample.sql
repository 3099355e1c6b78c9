{# Rows spread evenly over the source: of each quasi-identifier its part of the class key at some levels, of each kept column its value; inputs: source, columns (c, levels), kept, entity (a column or none), step (every so manyth row), rows (at most); output: q1_0 …, c_1 …, person #}
select
    {% for c, levels in columns %}
    {% for level in levels %}
    case
        when sampled.{{ c.quasi_identifier.value | name }} is null then 0
        else {{ "h" | numbered(c.number) }}.{{ "part" | numbered(level) }}
    end as {{ c.quasi_identifier.part(level) | name }},
    {% endfor %}
    {% endfor %}
    {% if entity %}
    sampled.person,
    {% endif %}
    {% for column in kept %}
    sampled.{{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
from (
    select *
    from (
        select
            {% for c, levels in columns %}
            {{ c.column | exact }} as {{ c.quasi_identifier.value | name }},
            {% endfor %}
            {% if entity %}
            {{ entity | exact }} as person,
            {% endif %}
            {% for column in kept %}
            {{ column | exact }} as {{ "c" | numbered(loop.index) }},
            {% endfor %}
            {% if step > 1 %}
            row_number() over () as place
            {% else %}
            0 as place
            {% endif %}
        from {{ source | name }} as source_row
    ) as numbered
    where place % {{ step | number }} = 0
    limit {{ rows | number }}
) as sampled
{% for c, levels in columns %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = sampled.{{ c.quasi_identifier.value | name }}
{% endfor %}
