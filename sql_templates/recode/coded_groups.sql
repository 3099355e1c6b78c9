{# The combinations with the codes of sensitive values and persons, each with its group; inputs: combined, keys (names of the parts of each packed key), codes, groups (key_1 …, region); output: key_1 …, the codes, region, row_count #}
select
    {% for parts in keys %}
    grouped.{{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for code in codes %}
    combination.{{ code | name }},
    {% endfor %}
    grouped.region,
    combination.row_count
from {{ combined | name }} as combination
join {{ groups | name }} as grouped
    on 1 = 1
    {% for parts in keys %}
    and grouped.{{ "key" | numbered(loop.index) }} =
        {% for part in parts %}
        {{ "+ " if not loop.first }}combination.{{ part | name }}
        {% endfor %}
    {% endfor %}
