{#- Classes as one group of models judges them; inputs: group, values_template, key_count, carried (column, level), measures (of all groups), persons, failing_below, and those of too_small; output: key_1 …, measure_1 … (null for other groups), part_1 … (0), majority, persons (0), class_size (0 unless the group counts rows), failing_below (share of rows that fail at every finer node), suppressed -#}
select
    {% for key in range(1, key_count + 1) %}
    {{ "key" | numbered(key) }},
    {% endfor %}
    {% for number in measures %}
    {% if number in group.numbers %}
    {{ "measure" | numbered(number) }},
    {% else %}
    cast(null as double) as {{ "measure" | numbered(number) }},
    {% endif %}
    {% endfor %}
    {% for c, level in carried %}
    0 as {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if group.is_label %}
    largest as majority,
    {% else %}
    0 as majority,
    {% endif %}
    {% if persons %}
    0 as persons,
    {% endif %}
    {% if group.counts_rows %}
    class_size,
    {% else %}
    0 as class_size,
    {% endif %}
    {% if failing_below %}
    greatest(
        {% if group.counts_rows %}
        cast({% include "judge/too_small.sql" %} as double)
        {% else %}
        cast(0 as double)
        {% endif %}
        {% for m in group.models if m.failing_below %}
        , case when {% include "judge/fails.sql" %} then least({{ "failing_below" | numbered(m.number) }}, cast(1 as double)) else 0.0 end
        {% endfor %}
        , cast(0 as double)
    ) as failing_below,
    {% endif %}
    {% if group.models or group.counts_rows %}
    case
        {% if group.counts_rows %}
        when {% include "judge/too_small.sql" %} = 1 then 1
        {% endif %}
        {% for m in group.models %}
        when {% include "judge/fails.sql" %} then 1
        {% endfor %}
        else 0
    end as suppressed
    {% else %}
    0 as suppressed
    {% endif %}
from (
    {% include group.template %}
) as {{ "measured" | numbered(group.values.number) }}
