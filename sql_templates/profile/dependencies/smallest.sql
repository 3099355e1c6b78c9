{# The smallest class of a table if a kept column counts as a quasi-identifier too; inputs: table, quasi_identifiers, columns (number, column), person (a column or None); output: number, smallest_class #}
{% for number, column in columns %}
select
    {{ number | number }} as number,
    min(class_size) as smallest_class
from (
    select {% if person %}count(distinct {{ person.name | name }}){% else %}count(*){% endif %} as class_size
    from {{ table | name }}
    group by
        {% for q in quasi_identifiers %}
        {{ q | exact }},
        {% endfor %}
        {{ column | exact }}
) as classes
{{ "union all" if not loop.last }}
{% endfor %}
