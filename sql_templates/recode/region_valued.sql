{#- The values of each class of a partition; inputs: group.values, regions, region_classes, persons (whether each person counts once per value); output: key_1 (class), value, value_rows -#}
select
    region_classes.class as key_1,
    regions.{{ "value" | numbered(group.values.number) }} as value,
    {% if persons %}
    count(distinct regions.person) as value_rows
    {% else %}
    cast(sum(regions.row_count) as bigint) as value_rows
    {% endif %}
from {{ regions | name }} as regions
join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
{% if persons %}
where regions.person > 0
{% endif %}
group by
    region_classes.class,
    regions.{{ "value" | numbered(group.values.number) }}
