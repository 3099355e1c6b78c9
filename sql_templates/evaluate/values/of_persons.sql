{#- The sensitive values of the classes of a node, each person counted once per value; inputs: group.values, tables (by number of the values), keys (the parts that add up to each key); output: key_1 …, value, value_rows -#}
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
        {{ "value" | numbered(group.values.number) }} as value,
        person
    from {{ tables[group.values.number] | name }}
    where person > 0
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }},
        {% endfor %}
        {{ "value" | numbered(group.values.number) }},
        person
) as pairs
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    value
