{#- The values of each class of a node; inputs: j.values, tables (by number of the values), keys, persons (whether each person counts once per value); output: key_1 …, value, value_rows -#}
{% if persons %}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    value,
    count(*) as value_rows
from (
    select
        {% for parts in keys %}
        {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {{ "value" | numbered(j.values.number) }} as value,
        person
    from {{ tables[j.values.number] | name }}
    where person > 0
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }},
        {% endfor %}
        {{ "value" | numbered(j.values.number) }},
        person
) as pairs
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    value
{% else %}
select
    {% for parts in keys %}
    {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {{ "value" | numbered(j.values.number) }} as value,
    cast(sum(row_count) as bigint) as value_rows
from {{ tables[j.values.number] | name }}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }},
    {% endfor %}
    {{ "value" | numbered(j.values.number) }}
{% endif %}
