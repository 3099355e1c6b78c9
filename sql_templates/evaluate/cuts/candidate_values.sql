{#- The sensitive values of both sides of each possible cut; inputs: group.values, persons (whether each person counts once per value); reads candidate_sides; output: key_1 (region), key_2 (dimension), key_3 (side), value, value_rows -#}
select
    key_1,
    key_2,
    key_3,
    {{ "value" | numbered(group.values.number) }} as value,
    {% if persons %}
    count(distinct person) as value_rows
    {% else %}
    cast(sum(row_count) as bigint) as value_rows
    {% endif %}
from candidate_sides
{% if persons %}
where person > 0
{% endif %}
group by
    key_1,
    key_2,
    key_3,
    {{ "value" | numbered(group.values.number) }}
