{# The positions of the codes of each dimension: numbers and dates at their value, categories at their rank, values without a position (NaN) at that of their neighbour; inputs: columns (number, stride, hierarchy_table, column); output: dimension, code, low_position, high_position #}
{% for c in columns %}
select
    {{ c.number | number }} as dimension,
    part_0 // {{ c.stride | number }} as code,
    {% if c.column.is_numeric %}
    min(position) over (order by part_0 desc nulls last) as low_position,
    max(position) over (order by part_0 nulls first) as high_position
    {% else %}
    cast(part_0 // {{ c.stride | number }} as double) as low_position,
    cast(part_0 // {{ c.stride | number }} as double) as high_position
    {% endif %}
from {{ c.hierarchy_table | name }}
where part_0 > 0
{{ "union all" if not loop.last }}
{% endfor %}
