{# A rollup: the combinations of a node, in codes of its levels and above; inputs: frequencies, keys (the parts that add up to each key), columns (column, level), leaves_only (no level except the first), values (numbers of sensitive values to keep), person (whether to keep persons); output: q1_1, q1_2, …, value_1 …, person, row_count #}
select
    {% for c, lowest in columns %}
    {% for level in range(lowest, c.height) if level == 0 or not leaves_only %}
    min({{ c.quasi_identifier.part(level) | name }}) as {{ c.quasi_identifier.part(level) | name }},
    {% endfor %}
    {% endfor %}
    {% for number in values %}
    {{ "value" | numbered(number) }},
    {% endfor %}
    {% if person %}
    person,
    {% endif %}
    cast(sum(row_count) as bigint) as row_count
from {{ frequencies | name }}
{% if keys or values or person %}
group by
    {% for parts in keys %}
    {{ parts | names(" + ") }}{{ "," if not loop.last or values or person }}
    {% endfor %}
    {% for number in values %}
    {{ "value" | numbered(number) }}{{ "," if not loop.last or person }}
    {% endfor %}
    {% if person %}
    person
    {% endif %}
{% endif %}
