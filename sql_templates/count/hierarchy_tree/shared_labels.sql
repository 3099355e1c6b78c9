{# The labels of a level that at least k rows share, each with its path from the root; inputs: hierarchy, level, height, k; output: the labels from the root down, row_count, leaves #}
select
    {% for upper in range(height, level - 1, -1) %}
    {{ "label" | numbered(upper) }},
    {% endfor %}
    sum(row_count) as row_count,
    count(*) as leaves
from {{ hierarchy | name }}
where {{ "label" | numbered(level) }} is not null
group by
    {% for upper in range(height, level - 1, -1) %}
    {{ "label" | numbered(upper) }}{{ "," if not loop.last }}
    {% endfor %}
having sum(row_count) >= {{ k | number }}
order by min(listed), min(part_0)
