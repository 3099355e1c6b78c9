{# The number of leaves of each column, and of values without a label; inputs: columns (number, labelled, height); output: number, leaves, uncovered_values, uncovered_rows #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    count(*) as leaves,
    coalesce(sum(uncovered), 0) as uncovered_values,
    coalesce(sum(uncovered * row_count), 0) as uncovered_rows
from (
    select
        row_count,
        case
            when value is null then 0
            {% for level in range(1, c.height + 1) %}
            when {{ "label" | numbered(level) }} is null then 1
            {% endfor %}
            else 0
        end as uncovered
    from {{ c.labelled | name }}
) as leaves
{{ "union all" if not loop.last }}
{% endfor %}
