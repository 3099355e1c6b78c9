{# How many labels each level has, and how many of them occur; inputs: columns (q.number, q.label_table); output: number, level, labels, distinct_labels #}
{% for q in columns %}
select
    {{ q.number | number }} as number,
    level,
    count(*) as labels,
    sum(case when row_count > 0 then 1 else 0 end) as distinct_labels
from {{ q.label_table | name }}
group by level
{{ "union all" if not loop.last }}
{% endfor %}
