{#- What classes measure by their values one by one; inputs: j (values, models, needs, largest), valued (template of key_1 …, value, value_rows), key_count; output: key_1 …, class_size (where j counts rows), largest, measure_1 …, doomed_1 … -#}
select
    {% for key in range(1, key_count + 1) %}
    weighed.{{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in j.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.doomed %}
    {% include m.doomed %} as {{ "doomed" | numbered(m.number) }},
    {% endif %}
    {% endfor %}
    {% if j.counts_rows %}
    cast(sum(weighed.value_rows) as bigint) as class_size,
    {% endif %}
    max(weighed.value_rows) as largest
from (
    select
        {% for key in range(1, key_count + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        value,
        {% if "size" in j.needs %}
        cast(sum(value_rows) over ({% include "judge/measured/by_class.sql" %}) as bigint) as size,
        {% endif %}
        {% if "place" in j.needs %}
        row_number() over ({% include "judge/measured/by_class.sql" %} order by value_rows desc nulls last, value nulls first) as place,
        {% endif %}
        value_rows
    from (
        {% include valued %}
    ) as valued
) as weighed
{% if "reference" in j.needs %}
join {{ j.values.reference | name }} as reference on reference.code = weighed.value
{% endif %}
{% if key_count %}
group by
    {% for key in range(1, key_count + 1) %}
    weighed.{{ "key" | numbered(key) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
