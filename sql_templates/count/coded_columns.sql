{# The combinations with codes instead of raw values for some quasi-identifiers; a join for all at once takes too long to plan, or is refused; inputs: combinations, columns (to code), leaves_only (no level except the first), carried (names of columns to copy); output: the carried columns, q1_0, q1_1, … #}
select
    {% for name in carried %}
    combination.{{ name | name }},
    {% endfor %}
    {% for c in columns %}
    {% set last_column = loop.last %}
    {% for level in range(c.height) if level == 0 or not leaves_only %}
    case
        when combination.{{ c.quasi_identifier.value | name }} is null then 0
        else {{ "h" | numbered(c.number) }}.{{ "part" | numbered(level) }}
    end as {{ c.quasi_identifier.part(level) | name }}{{ "," if not (last_column and loop.last) }}
    {% endfor %}
    {% endfor %}
from {{ combinations | name }} as combination
{% for c in columns %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = combination.{{ c.quasi_identifier.value | name }}
{% endfor %}
