{# The labels and losses of each level; inputs: columns (number, label_table, height), cells (loss columns of label tables); output: number, level, per cell the sum over all rows, the sum with no cell above that of the root, and the highest loss; labels, distinct_labels #}
{% for q in columns %}
select
    {{ q.number | number }} as number,
    labels.level,
    {% for cell in cells %}
    sum(labels.row_count * labels.{{ cell | name }}) as {{ cell | numbered(1) }},
    sum(labels.row_count * case
        when labels.{{ cell | name }} > root.{{ cell | name }} then root.{{ cell | name }}
        else labels.{{ cell | name }}
    end) as {{ cell | numbered(2) }},
    max(case when labels.row_count > 0 then labels.{{ cell | name }} else 0.0 end) as {{ cell | numbered(3) }},
    {% endfor %}
    count(*) as labels,
    sum(case when labels.row_count > 0 then 1 else 0 end) as distinct_labels
from {{ q.label_table | name }} as labels
cross join (
    select
        {% for cell in cells %}
        max({{ cell | name }}) as {{ cell | name }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ q.label_table | name }}
    where level = {{ q.height | number }}
) as root
group by labels.level
{{ "union all" if not loop.last }}
{% endfor %}
