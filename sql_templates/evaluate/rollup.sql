{# A smaller frequency table: the combinations of a node, coded on its levels and above; inputs: frequencies, keys, columns (c, level), label; output: q1_1, q1_2, …, row_count #}
select
    {% for c, lowest in columns %}
    {% for level in range(lowest, c.height) %}
    min({{ c.quasi_identifier.part(level) | name }}) as {{ c.quasi_identifier.part(level) | name }},
    {% endfor %}
    {% endfor %}
    {% if label %}
    {{ label.quasi_identifier.part(0) | name }},
    {% endif %}
    sum(row_count) as row_count
from {{ frequencies | name }}
{% if keys or label %}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }}{{ "," if not loop.last or label }}
    {% endfor %}
    {% if label %}
    {{ label.quasi_identifier.part(0) | name }}
    {% endif %}
{% endif %}
