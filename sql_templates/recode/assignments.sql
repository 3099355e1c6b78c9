{# The class and the number of rows of each combination; a combination that is split has a row per class, with its range of row numbers; inputs: regions, region_classes, keys, codes (of sensitive values and persons, if combinations include them), splits; output: key_1 …, the codes (if combinations are split), first_row, last_row, class, row_count #}
select
    {% for key in range(1, keys + 1) %}
    regions.{{ "key" | numbered(key) }},
    {% endfor %}
    {% if splits %}
    {% for code in codes %}
    regions.{{ code | name }},
    {% endfor %}
    regions.first_row + 1 as first_row,
    regions.first_row + regions.row_count as last_row,
    {% endif %}
    region_classes.class,
    {% if codes and not splits %}
    cast(sum(regions.row_count) as bigint) as row_count
    {% else %}
    regions.row_count
    {% endif %}
from {{ regions | name }} as regions
join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
{% if codes and not splits %}
group by
    {% for key in range(1, keys + 1) %}
    regions.{{ "key" | numbered(key) }},
    {% endfor %}
    region_classes.class
{% endif %}
