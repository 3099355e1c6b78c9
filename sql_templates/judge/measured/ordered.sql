{#- How far the sensitive values of classes are from those of the table, in steps along their order; between two values that occur, the cumulative share of a class stays the same; inputs and output: as in values; largest is 0 -#}
select
    {% for key in range(1, key_count + 1) %}
    present.{{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in group.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.failing_below %}
    {% include m.failing_below %} as {{ "failing_below" | numbered(m.number) }},
    {% endif %}
    {% endfor %}
    {% if group.counts_rows %}
    max(present.size) as class_size,
    {% endif %}
    0 as largest
from (
    select
        {% for key in range(1, key_count + 1) %}
        weighed.{{ "key" | numbered(key) }},
        {% endfor %}
        weighed.size,
        weighed.upto,
        reference.rank,
        reference.before,
        lead(reference.rank) over ({% include "judge/measured/by_class.sql" %} order by reference.rank nulls first) as next_rank
    from (
        select
            {% for key in range(1, key_count + 1) %}
            {{ "key" | numbered(key) }},
            {% endfor %}
            value,
            cast(sum(value_rows) over ({% include "judge/measured/by_class.sql" %}) as bigint) as size,
            cast(sum(value_rows) over ({% include "judge/measured/by_class.sql" %} order by value nulls first) as bigint) as upto
        from (
            {% include values_template %}
        ) as valued
    ) as weighed
    join {{ group.values.reference | name }} as reference on reference.code = weighed.value
) as present
join {{ group.values.reference | name }} as passed
    on passed.rank >= present.rank
    and passed.rank < coalesce(present.next_rank, {{ (group.values.distinct + 1) | number }})
{% if key_count %}
group by
    {% for key in range(1, key_count + 1) %}
    present.{{ "key" | numbered(key) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
