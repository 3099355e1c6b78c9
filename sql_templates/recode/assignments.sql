{# Which class a combination is in, with how many rows; one that is split between classes has a row per class with its range of row numbers; inputs: regions, region_classes, keys, has_label (combinations stand once per label), splits; output: key_1 …, first_row, last_row, class, row_count #}
select
    {% for key in range(1, keys + 1) %}
    regions.{{ "key" | numbered(key) }},
    {% endfor %}
    {% if splits %}
    regions.first_row + 1 as first_row,
    regions.first_row + regions.row_count as last_row,
    {% endif %}
    region_classes.class,
    {% if has_label %}
    cast(sum(regions.row_count) as bigint) as row_count
    {% else %}
    regions.row_count
    {% endif %}
from {{ regions | name }} as regions
join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
{% if has_label %}
group by
    {% for key in range(1, keys + 1) %}
    regions.{{ "key" | numbered(key) }},
    {% endfor %}
    region_classes.class
{% endif %}
