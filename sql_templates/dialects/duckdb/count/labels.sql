{# As labels, but all labels of all columns in one grouping, because each grouping takes about as long as one of a few hundred rows; inputs and output: as there #}
{% extends "count/labels.sql" %}
{% block nodes %}
select
    number,
    level,
    part,
    {% include "count/labels/covered.sql" %}
    min(label) as label
from (
    {% for c in columns %}
    select
        {{ c.number | number }} as number,
        unnest([{% for level in range(c.height + 1) %}{{ level | number }}{{ "," if not loop.last }}{% endfor %}]) as level,
        unnest([{% for level in range(c.height + 1) %}{{ "part" | numbered(level) }}{{ "," if not loop.last }}{% endfor %}]) as part,
        {% include "count/labels/leaf.sql" %}
        unnest([null{% for level in range(1, c.height + 1) %}, {{ "label" | numbered(level) }}{% endfor %}]::varchar[]) as label
    from {{ c.hierarchy_table | name }}
    {{ "union all" if not loop.last }}
    {% endfor %}
) as leaves
group by number, level, part
{% endblock %}
