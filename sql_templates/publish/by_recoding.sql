{# The release, ordered by class and at random within a class; a row has the class of its combination; inputs: source, assignments, classes, columns (c), keys (each a list of c), codes (name, column, table; of sensitive values and persons, if combinations include them), splits (whether combinations may be in several classes), keyed (the template of the keyed rows), published; output: the published columns #}
select
    {% for p in published %}
    {% if p.is_null %}
    null as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% elif p.from_class %}
    class.{{ p.from_class | name }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% else %}
    carried.{{ "carried" | numbered(p.position) }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
    select
        assigned.class,
        {% for p in published if p.is_carried %}
        numbered.{{ "carried" | numbered(p.position) }},
        {% endfor %}
        1 as counted
    from (
        {% include keyed %}
    ) as numbered
    {% block finds_class %}
    join
    {%- endblock %} {{ assignments | name }} as assigned
        on 1 = 1
        {% for key in keys %}
        and assigned.{{ "key" | numbered(loop.index) }} = numbered.{{ "key" | numbered(loop.index) }}
        {% endfor %}
        {% for code in codes %}
        and assigned.{{ code.name | name }} = numbered.{{ code.name | name }}
        {% endfor %}
        {% if splits %}
        and numbered.number between assigned.first_row and assigned.last_row
        {% endif %}
    {% block sorted_before_labels %}
    order by assigned.class, random()
    {% endblock %}
) as carried
join {{ classes | name }} as class
    on class.suppressed = 0
    and class.class = carried.class
{% block sorted_last %}
{% endblock %}
