{# Which class a combination is in; one that is split between classes has a row per class with its range of row numbers; inputs: regions, region_classes, keys, has_label (combinations stand once per label), splits; output: key_1 …, class, first_row, last_row #}
select{% if has_label %} distinct{% endif %}

    {% for key in range(1, keys + 1) %}
    regions.{{ "key" | numbered(key) }},
    {% endfor %}
    {% if splits %}
    regions.first_row + 1 as first_row,
    regions.first_row + regions.row_count as last_row,
    {% endif %}
    region_classes.class
from {{ regions | name }} as regions
join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
