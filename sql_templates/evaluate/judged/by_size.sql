{#- The classes of a node, and whether they are too small; inputs: those of classes_template and too_small, keys, keeps_keys (whether the key columns are needed), carried (column, level), persons, failing_below; output: key_1 …, part_1 …, persons, class_size, failing_below (share of rows that fail at every finer node), suppressed, nothing (0, as if nothing were suppressed) -#}
select
    {% if keeps_keys %}
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% endif %}
    {% for c, level in carried %}
    {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if persons %}
    persons,
    {% endif %}
    class_size,
    {% if failing_below %}
    cast({% include "judge/too_small.sql" %} as double) as failing_below,
    {% endif %}
    {% include "judge/too_small.sql" %} as suppressed,
    0 as nothing
from (
    {% include classes_template %}
) as sizes
