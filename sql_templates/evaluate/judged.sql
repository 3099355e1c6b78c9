{#- The classes of a node, each with whether it breaks the policy; inputs: as in classes and valued, and sized, judgements (the first may count rows where nothing is carried or kept), measures, counted, has_label, keeps (whether keys and measures are wanted), dooms (whether doomed is); output: key_1 …, part_1 …, majority (of the label), class_size, doomed, suppressed, nothing (0: as if none were), measure_1 … -#}
{% if judgements | length == 1 and judgements[0].counts_rows %}
{% set j = judgements[0] %}
select
    majority,
    class_size,
    {% if dooms %}
    doomed,
    {% endif %}
    suppressed,
    0 as nothing
from (
    {% include "judge/judged.sql" %}
) as judged
{% elif judgements %}
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
    {% if dooms %}
    max(doomed) as doomed,
    {% endif %}
    max(suppressed) as suppressed,
    0 as nothing
from (
    {% if not judgements[0].counts_rows %}
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
        {% if dooms %}
        cast({% include "judge/too_small.sql" %} as double) as doomed,
        {% endif %}
        {% include "judge/too_small.sql" %} as suppressed
    from (
        {% include "evaluate/classes.sql" %}
    ) as sizes
    {% endif %}
    {% for j in judgements %}
    {{ "union all" if not (loop.first and j.counts_rows) }}
    {% include "judge/judged.sql" %}
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
    {% if dooms %}
    cast({% include "judge/too_small.sql" %} as double) as doomed,
    {% endif %}
    {% include "judge/too_small.sql" %} as suppressed,
    0 as nothing
from (
    {% include "evaluate/classes.sql" %}
) as sizes
{% endif %}
