{# The labels and losses of each level; inputs: labels (of several columns), heights (number, height), cells (loss columns of labels); output: number, level, per cell the sum over all rows, the sum with no cell above that of the root, and the highest loss; labels, distinct_labels #}
select
    labels.number,
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
from {{ labels | name }} as labels
join (
    select
        number,
        {% for cell in cells %}
        max({{ cell | name }}) as {{ cell | name }}{{ "," if not loop.last }}
        {% endfor %}
    from {{ labels | name }}
    where
        {% for number, height in heights %}
        {{ "or" if not loop.first }} (number = {{ number | number }} and level = {{ height | number }})
        {% endfor %}
    group by number
) as root on root.number = labels.number
group by labels.number, labels.level
