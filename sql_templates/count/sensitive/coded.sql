{# The combinations of sensitive values in codes; inputs: combinations, values (number, q, codes), persons (a table or None); output: value_1 …, person, row_count #}
select
    {% for v in values %}
    {% include "count/sensitive/code.sql" %} as {{ "value" | numbered(v.number) }},
    {% endfor %}
    {% if persons %}
    case when combination.person_value is null then 0 else persons.code end as person,
    {% endif %}
    combination.row_count
from {{ combinations | name }} as combination
{% include "count/sensitive/code_joins.sql" %}
