{# The dimensions with NULL; inputs: columns (number, hierarchy_table); output: dimension #}
{% for c in columns %}
select {{ c.number | number }} as dimension
from {{ c.hierarchy_table | name }}
where part_0 = 0
{{ "union all" if not loop.last }}
{% endfor %}
