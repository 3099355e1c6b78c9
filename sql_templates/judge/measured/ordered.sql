{#- How far the values of classes lie from the table's, in steps along their order; between two values present the class's cumulated share stays as it is; inputs and output as in values -#}
select
    {% for key in range(1, key_count + 1) %}
    present.{{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in j.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.doomed %}
    {% include m.doomed %} as {{ "doomed" | numbered(m.number) }},
    {% endif %}
    {% endfor %}
    {% if j.counts_rows %}
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
            {% include valued %}
        ) as valued
    ) as weighed
    join {{ j.values.reference | name }} as reference on reference.code = weighed.value
) as present
join {{ j.values.reference | name }} as passed
    on passed.rank >= present.rank
    and passed.rank < coalesce(present.next_rank, {{ (j.values.distinct + 1) | number }})
{% if key_count %}
group by
    {% for key in range(1, key_count + 1) %}
    present.{{ "key" | numbered(key) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
