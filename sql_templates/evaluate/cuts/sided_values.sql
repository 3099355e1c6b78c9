{#- The values of each side of each cut; inputs: j.values, persons (whether each person counts once per value); reads sided; output: key_1 (region), key_2 (dimension), key_3 (side), value, value_rows -#}
select
    key_1,
    key_2,
    key_3,
    {{ "value" | numbered(j.values.number) }} as value,
    {% if persons %}
    count(distinct person) as value_rows
    {% else %}
    cast(sum(row_count) as bigint) as value_rows
    {% endif %}
from sided
{% if persons %}
where person > 0
{% endif %}
group by
    key_1,
    key_2,
    key_3,
    {{ "value" | numbered(j.values.number) }}
