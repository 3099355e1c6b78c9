{#- The classes of a node, each with whether it breaks the policy; inputs: as in classes, and models; output: part_1 …, majority (of the label), class_size, suppressed, nothing (0: as if none were) -#}
select
    {% for c, level in carried %}
    {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if label %}
    majority,
    {% endif %}
    class_size,
    case
        {% for model in models %}
        when {% include model.template %} then 1
        {% endfor %}
        else 0
    end as suppressed,
    0 as nothing
from (
    {% include "evaluate/classes.sql" %}
) as sizes
