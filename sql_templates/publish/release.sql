{# The release, ordered by class and at random within a class: each row finds its class by the keys of its combination, rows are sorted by one number, and labels are joined last; inputs: source, assigned (table: key_1 …, class), classes (table: class, labels, suppressed), keys (each a list of parts: coded, level, maps), codes (name, column, table; of sensitive values and persons, if combinations include them), splits (whether combinations may be in several classes), keyed (the template of the keyed rows), whole_persons (the last published column, if rows without a code in it are left out), published; output: the published columns #}
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
        {% block carried_class %}
        assigned.class,
        {% endblock %}
        {% for p in published if p.is_carried %}
        numbered.{{ "carried" | numbered(p.position) }},
        {% endfor %}
        {% block sort_key %}
        assigned.class * 4294967296 + cast(random() * 4294967295 as bigint) as sort_key
        {% endblock %}
    from (
        {% include keyed %}
    ) as numbered
    {% block finds_class %}
    join
    {%- endblock %} {{ assigned | name }} as assigned
        on 1 = 1
        {% include "publish/same_combination.sql" %}
    order by sort_key nulls first
) as carried
join {{ classes | name }} as class
    on class.suppressed = 0
    and class.class = {% block class_of_row %}carried.class{% endblock %}
