{# The extent of each dimension's domain, from its first to its last leaf; inputs: columns (number, stride, hierarchy_table, column, unlisted), weights; output: dimension, extent, weight, last_code #}
select
    extents.dimension,
    extents.extent,
    weights.weight,
    extents.last_code
from (
    {% for c in columns %}
    select
        {{ c.number | number }} as dimension,
        {% if c.column.is_numeric %}
        max(case when listed < {{ c.unlisted | number }} then position end) - min(case when listed < {{ c.unlisted | number }} then position end) as extent,
        {% else %}
        cast(max(case when listed < {{ c.unlisted | number }} then part_0 // {{ c.stride | number }} end) - min(case when listed < {{ c.unlisted | number }} then part_0 // {{ c.stride | number }} end) as double) as extent,
        {% endif %}
        max(part_0 // {{ c.stride | number }}) as last_code
    from {{ c.hierarchy_table | name }}
    where part_0 > 0
    {{ "union all" if not loop.last }}
    {% endfor %}
) as extents
join {{ weights | name }} as weights on weights.dimension = extents.dimension
