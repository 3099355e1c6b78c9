{# What each level holds; inputs: columns (q.number, q.label_table, q.height), cells (columns of label tables); output: number, level, labels, distinct_labels, and per cell its sum over all rows, that sum with no cell above the root's, and its highest #}
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
