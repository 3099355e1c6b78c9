{# The release, ordered by class and at random within a class; inputs: source, classes, columns (c, level), keys (each a list of c, level), published, whole_persons (the last published column, if rows without a code in it are left out); output: the published columns #}
select
    {% for p in published %}
    {% if p.is_null %}
    null as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% elif p.from_class %}
    class.{{ p.from_class | name }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% else %}
    carried.{{ "carried" | numbered(loop.index) }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
    select
        {% for key in keys %}
        {% for c, level in key %}
        {{ "+ " if not loop.first }}case
            when source_row.{{ c.column.name | name }} is null then 0
            else {{ "h" | numbered(c.number) }}.{{ "part" | numbered(level) }}
        end
        {% endfor %}
        as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% for p in published %}
        {% if p.pseudonyms %}
        {{ "p" | numbered(loop.index) }}.{{ p.found | name }} as {{ "carried" | numbered(loop.index) }},
        {% elif p.is_carried %}
        source_row.{{ p.column.name | name }} as {{ "carried" | numbered(loop.index) }},
        {% endif %}
        {% endfor %}
        1 as counted
    from {{ source | name }} as source_row
    {% for c, level in columns if level < c.height %}
    left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
        on {{ "h" | numbered(c.number) }}.value = {{ c.column | exact("source_row") }}
    {% endfor %}
    {% for p in published %}
    {% if p.pseudonyms %}
    left join {{ p.pseudonyms | name }} as {{ "p" | numbered(loop.index) }}
        on {{ "p" | numbered(loop.index) }}.value = {{ p.original | exact("source_row") }}
    {% endif %}
    {% endfor %}
    {% if whole_persons %}
    where source_row.{{ whole_persons.original.name | name }} is null or {{ "p" | numbered(published | length) }}.{{ whole_persons.found | name }} is not null
    {% endif %}
    {% block sorted_before_labels %}
    order by
        {% for key in keys %}
        {{ "key" | numbered(loop.index) }},
        {% endfor %}
        random()
    {% endblock %}
) as carried
join {{ classes | name }} as class
    on class.suppressed = 0
    {% for key in keys %}
    and class.{{ "key" | numbered(loop.index) }} = carried.{{ "key" | numbered(loop.index) }}
    {% endfor %}
{% block sorted_last %}
{% endblock %}
