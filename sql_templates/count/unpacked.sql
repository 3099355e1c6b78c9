{# The combinations in codes, from their packed keys; inputs: packed, columns, positions (of a packed key among the keys), leaves_only (no level except the first); output: that of frequency_table, without sensitive values and persons #}
select
    {% for c in columns if c.height > 0 %}
    {% for level in range(c.height) if level == 0 or not leaves_only %}
    {% if level == 0 %}
    leaf.{{ c.quasi_identifier.part(0) | name }},
    {% else %}
    {{ "h" | numbered(c.number) }}.{{ "part" | numbered(level) }} as {{ c.quasi_identifier.part(level) | name }},
    {% endif %}
    {% endfor %}
    {% endfor %}
    leaf.row_count
from (
    select
        {% for c in columns if c.height > 0 %}
        {{ "key" | numbered(positions[c.key]) }} // {{ c.stride | number }} % {{ c.codes | number }} * {{ c.stride | number }} as {{ c.quasi_identifier.part(0) | name }},
        {% endfor %}
        row_count
    from {{ packed | name }}
) as leaf
{% for c in columns if c.height > 1 and not leaves_only %}
left join {{ c.hierarchy_table | name }} as {{ "h" | numbered(c.number) }}
    on {{ "h" | numbered(c.number) }}.part_0 = leaf.{{ c.quasi_identifier.part(0) | name }}
{% endfor %}
