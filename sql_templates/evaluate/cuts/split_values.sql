{# The exact values at which a column is cut; inputs: kept (cuts), c (number, stride, hierarchy_table), kind; output: code, value #}
select
    leaves.part_0 // {{ c.stride | number }} as code,
    {% if kind in ("decimal", "timestamp") %}
    cast(leaves.value as varchar) as value
    {% elif kind == "single" %}
    cast(leaves.value as double) as value
    {% else %}
    leaves.value
    {% endif %}
from {{ c.hierarchy_table | name }} as leaves
where leaves.part_0 > 0 and leaves.part_0 // {{ c.stride | number }} in (
    select split
    from {{ kept | name }}
    where dimension = {{ c.number | number }}
)
