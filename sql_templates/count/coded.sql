{# The rows that have codes, and the combinations that lack one; inputs: frequencies, columns, values, persons; output: row_count, uncoded #}
select
    coalesce(sum(row_count), 0) as row_count,
    coalesce(sum(
        case
            {% for c in columns if c.height > 0 %}
            when {{ c.quasi_identifier.part(0) | name }} is null then 1
            {% endfor %}
            {% for v in values %}
            when {{ "value" | numbered(v.number) }} is null then 1
            {% endfor %}
            {% if persons %}
            when person is null then 1
            {% endif %}
            when row_count is null then 1
            else 0
        end
    ), 0) as uncoded
from {{ frequencies | name }}
