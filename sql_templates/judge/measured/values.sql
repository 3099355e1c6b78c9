{#- What classes measure by their sensitive values one by one; inputs: group (values, models, needs, counts_rows), values_template (query of key_1 …, value, value_rows), key_count; output: key_1 …, measure_1 …, failing_below_1 …, class_size (if the group counts rows), largest (rows with the most frequent value) -#}
select
    {% for key in range(1, key_count + 1) %}
    weighed.{{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in group.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.failing_below %}
    {% include m.failing_below %} as {{ "failing_below" | numbered(m.number) }},
    {% endif %}
    {% endfor %}
    {% if group.counts_rows %}
    cast(sum(weighed.value_rows) as bigint) as class_size,
    {% endif %}
    max(weighed.value_rows) as largest
from (
    select
        {% for key in range(1, key_count + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        value,
        {% if "size" in group.needs %}
        cast(sum(value_rows) over ({% include "judge/measured/by_class.sql" %}) as bigint) as size,
        {% endif %}
        {% if "frequency_rank" in group.needs %}
        row_number() over (
            {% include "judge/measured/by_class.sql" %}
            order by value_rows desc nulls last, value nulls first
        ) as frequency_rank,
        {% endif %}
        value_rows
    from (
        {% include values_template %}
    ) as valued
) as weighed
{% if "reference" in group.needs %}
join {{ group.values.reference | name }} as reference on reference.code = weighed.value
{% endif %}
{% if key_count %}
group by
    {% for key in range(1, key_count + 1) %}
    weighed.{{ "key" | numbered(key) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
