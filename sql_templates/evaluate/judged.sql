{#- The classes of a node, each with whether it breaks the policy; inputs: as in classes and valued, and sized, judgements, measures, counted, has_label, keeps (whether keys and measures are wanted); output: key_1 …, part_1 …, majority (of the label), class_size, suppressed, nothing (0: as if none were), measure_1 … -#}
{% if judgements %}
select
    {% if keeps %}
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
    max(suppressed) as suppressed,
    0 as nothing
from (
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
        {% include "models/too_small.sql" %} as suppressed
    from (
        {% include "evaluate/classes.sql" %}
    ) as sizes
    {% for j in judgements %}
    union all
    {% include "models/judged.sql" %}
    {% endfor %}
) as judged
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
{% else %}
select
    {% if keeps %}
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
    {% include "models/too_small.sql" %} as suppressed,
    0 as nothing
from (
    {% include "evaluate/classes.sql" %}
) as sizes
{% endif %}
