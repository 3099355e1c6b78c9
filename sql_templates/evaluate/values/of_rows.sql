{#- The sensitive values of the classes of a node; inputs: group.values, tables (by number of the values), keys (the parts that add up to each key); output: key_1 …, value, value_rows -#}
select
    {% for parts in keys %}
    {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {{ "value" | numbered(group.values.number) }} as value,
    cast(sum(row_count) as bigint) as value_rows
from {{ tables[group.values.number] | name }}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }},
    {% endfor %}
    {{ "value" | numbered(group.values.number) }}
