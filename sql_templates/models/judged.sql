{#- Classes as one look at their values judges them, in the shape of judged classes; inputs: j, valued, key_count, carried (parts that others know), measures (of all looks); output: key_1 …, measure_1 …, part_1 …, majority, persons, class_size (both 0: counted elsewhere), suppressed -#}
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
    0 as class_size,
    {% if j.models %}
    case
        {% for m in j.models %}
        when {% include "models/fails.sql" %} then 1
        {% endfor %}
        else 0
    end as suppressed
    {% else %}
    0 as suppressed
    {% endif %}
from (
    {% include j.measured %}
) as {{ "measured" | numbered(j.values.number) }}
