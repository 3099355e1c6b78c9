{#- The classes of a node, and whether they fail, from their sizes and each group's scan of sensitive values; inputs: groups (the first may count rows instead of classes_template), keys, keeps_keys (whether key and measure columns are needed), carried (column, level), measures, persons, failing_below, and those of sizes and measured_classes; output: key_1 …, measure_1 …, part_1 …, majority (rows with the most frequent label), persons, class_size, failing_below, suppressed, nothing (0, as if nothing were suppressed) -#}
select
    {% if keeps_keys %}
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for number in measures %}
    max({{ "measure" | numbered(number) }}) as {{ "measure" | numbered(number) }},
    {% endfor %}
    {% endif %}
    {% for c, level in carried %}
    max({{ "part" | numbered(c.number) }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    max(majority) as majority,
    {% if persons %}
    max(persons) as persons,
    {% endif %}
    cast(sum(class_size) as bigint) as class_size,
    {% if failing_below %}
    max(failing_below) as failing_below,
    {% endif %}
    max(suppressed) as suppressed,
    0 as nothing
from (
    {% if not groups[0].counts_rows %}
    {% include "evaluate/judged/sizes.sql" %}
    union all
    {% endif %}
    {% for group in groups %}
    {% include "judge/measured_classes.sql" %}
    {{ "union all" if not loop.last }}
    {% endfor %}
) as judged
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
