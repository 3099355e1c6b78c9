{#- Classes as one look at their values judges them, in the shape of judged classes; inputs: j, valued, key_count, carried (parts that others know), measures (of all looks), dooms; output: key_1 …, measure_1 …, part_1 …, majority, persons, class_size (both 0 unless counted here), doomed (where dooms: the share of rows that fail however the class is divided), suppressed -#}
select
    {% for key in range(1, key_count + 1) %}
    {{ "key" | numbered(key) }},
    {% endfor %}
    {% for number in measures %}
    {% if number in j.numbers %}
    {{ "measure" | numbered(number) }},
    {% else %}
    cast(null as double) as {{ "measure" | numbered(number) }},
    {% endif %}
    {% endfor %}
    {% for c, level in carried %}
    0 as {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if j.is_label %}
    largest as majority,
    {% else %}
    0 as majority,
    {% endif %}
    {% if persons %}
    0 as persons,
    {% endif %}
    {% if j.counts_rows %}
    class_size,
    {% else %}
    0 as class_size,
    {% endif %}
    {% if dooms %}
    greatest(
        {% if j.counts_rows %}
        cast({% include "judge/too_small.sql" %} as double)
        {% else %}
        cast(0 as double)
        {% endif %}
        {% for m in j.models if m.doomed %}
        , case when {% include "judge/fails.sql" %} then least({{ "doomed" | numbered(m.number) }}, cast(1 as double)) else 0.0 end
        {% endfor %}
        , cast(0 as double)
    ) as doomed,
    {% endif %}
    {% if j.models or j.counts_rows %}
    case
        {% if j.counts_rows %}
        when {% include "judge/too_small.sql" %} = 1 then 1
        {% endif %}
        {% for m in j.models %}
        when {% include "judge/fails.sql" %} then 1
        {% endfor %}
        else 0
    end as suppressed
    {% else %}
    0 as suppressed
    {% endif %}
from (
    {% include j.measured %}
) as {{ "measured" | numbered(j.values.number) }}
