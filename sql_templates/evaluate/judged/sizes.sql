{#- Part of by_groups: the classes of a node as their sizes judge them; inputs: as there; output: that of measured_classes -#}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for number in measures %}
    cast(null as double) as {{ "measure" | numbered(number) }},
    {% endfor %}
    {% for c, level in carried %}
    {{ "part" | numbered(c.number) }},
    {% endfor %}
    0 as majority,
    {% if persons %}
    persons,
    {% endif %}
    class_size,
    {% if failing_below %}
    cast({% include "judge/too_small.sql" %} as double) as failing_below,
    {% endif %}
    {% include "judge/too_small.sql" %} as suppressed
from (
    {% include classes_template %}
) as sizes
