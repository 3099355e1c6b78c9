{# The same release for engines that drop the order of a derived table, or that keep it slowly: labels are joined before rows are sorted, and the class table is joined once; inputs and output as in release #}
{% set is_node = assigned == classes %}
select
    {% for p in published %}
    {% if p.is_null %}
    null as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% elif p.from_class and is_node %}
    assigned.{{ p.from_class | name }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% elif p.from_class %}
    class.{{ p.from_class | name }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% else %}
    numbered.{{ "carried" | numbered(p.position) }} as {{ p.column.name | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
    {% include keyed %}
) as numbered
join {{ assigned | name }} as assigned
    on 1 = 1
    {% if is_node %}
    and assigned.suppressed = 0
    {% endif %}
    {% include "publish/same_combination.sql" %}
{% if not is_node %}
join {{ classes | name }} as class
    on class.suppressed = 0
    and class.class = assigned.class
{% endif %}
order by assigned.class * 4294967296 + cast(random() * 4294967295 as bigint) nulls first
