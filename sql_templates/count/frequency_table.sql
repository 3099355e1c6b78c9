{# The combinations in codes: per quasi-identifier and level below the root, its part of the class key (code × stride); inputs: combinations, coded (names of parts that are already there), columns (the others), leaves_only (no level except the first), values (number, q, codes), persons (a table or None); output: q1_0, q1_1, …, value_1 …, person, row_count #}
select
    {% for part in coded %}
    combination.{{ part | name }},
    {% endfor %}
    {% for c in columns %}
    {% for level in range(c.height) if level == 0 or not leaves_only %}
    case
        when combination.{{ c.quasi_identifier.value | name }} is null then 0
        else {{ "h" | numbered(c.number) }}.{{ "part" | numbered(level) }}
    end as {{ c.quasi_identifier.part(level) | name }},
    {% endfor %}
    {% endfor %}
    {% for v in values %}
    {% include "count/sensitive/code.sql" %} as {{ "value" | numbered(v.number) }},
    {% endfor %}
    {% if persons %}
    case when combination.person_value is null then 0 else persons.code end as person,
    {% endif %}
    combination.row_count
from {{ combinations | name }} as combination
{% for c in columns if c.height > 0 %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.value = combination.{{ c.quasi_identifier.value | name }}
{% endfor %}
{% include "count/sensitive/code_joins.sql" %}
