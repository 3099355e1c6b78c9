{# Generalized information loss: the mean loss of a cell, 1 where suppressed; inputs: classes, rows, columns; output: geniloss #}
select
    cast(sum(class_size * case
        when suppressed = 1 then {{ (columns | length) | number }}
        else
            {% for c in columns %}
            {{ "+ " if not loop.first }}{{ "loss" | numbered(c.number) }}
            {% endfor %}
    end) as double) / {{ (rows * columns | length) | number }} as geniloss
from {{ classes | name }}
