{# Rows spread evenly over the source: of each quasi-identifier its parts of the class key at some levels, of each other column its value; inputs: source, columns (column, levels), kept (columns), entity (a column or None), step (1 row of this many), rows (at most); output: q1_0 …, person, c_1 … #}
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
    {% block sampled %}
    select *
    from (
        select
            {% include "profile/dependencies/sampled_columns.sql" %}
            {% if step > 1 %}
            row_number() over () as row_position
            {% else %}
            0 as row_position
            {% endif %}
        from {{ source | name }} as source_row
    ) as numbered
    where row_position % {{ step | number }} = 0
    limit {{ rows | number }}
    {% endblock %}
) as sampled
{% for c, levels in columns %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = sampled.{{ c.quasi_identifier.value | name }}
{% endfor %}
