{# The number of rows whose combination has a group, and of combinations that are not below the nodes of their group; inputs: frequencies, keys (names of the parts of each packed key), groups (key_1 …, region), nodes (region, level_1, part_1 …), columns (number, height, stride, quasi_identifier); output: row_count, misfits #}
select
    coalesce(sum(combination.row_count), 0) as row_count,
    coalesce(sum(
        case
            {% for c in columns if c.height > 0 %}
            when nodes.{{ "part" | numbered(c.number) }} is null then 1
            when nodes.{{ "part" | numbered(c.number) }} <> case
                {% for level in range(c.height) %}
                when nodes.{{ "level" | numbered(c.number) }} = {{ level | number }} then combination.{{ c.quasi_identifier.part(level) | name }}
                {% endfor %}
                when nodes.{{ "level" | numbered(c.number) }} = {{ c.height | number }} then {{ c.stride | number }}
                else -1
            end then 1
            {% endfor %}
            when nodes.region is null then 1
            else 0
        end
    ), 0) as misfits
from {{ frequencies | name }} as combination
join {{ groups | name }} as grouped
    on 1 = 1
    {% for parts in keys %}
    and grouped.{{ "key" | numbered(loop.index) }} =
        {% for part in parts %}
        {{ "+ " if not loop.first }}combination.{{ part | name }}
        {% endfor %}
    {% endfor %}
left join {{ nodes | name }} as nodes on nodes.region = grouped.region
