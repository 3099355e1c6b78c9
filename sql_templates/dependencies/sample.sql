{# The first rows of the source: of each quasi-identifier its part of the class key at some levels, of each kept column its value, where it is compared only, as a hash; inputs: source, columns (c, levels), kept, entity (a column or none), hashed, rows; output: q1_0 …, c_1 …, person #}
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
    select
        {% for c, levels in columns %}
        {{ c.column | exact }} as {{ c.quasi_identifier.value | name }},
        {% endfor %}
        {% if entity %}
        {{ entity | exact }} as person,
        {% endif %}
        {% for column in kept %}
        {% if hashed and column.kind == "text" %}
        md5({{ column | exact }}) as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
        {% else %}
        {{ column | exact }} as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from {{ source | name }} as source_row
    limit {{ rows | number }}
) as sampled
{% for c, levels in columns %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = sampled.{{ c.quasi_identifier.value | name }}
{% endfor %}
