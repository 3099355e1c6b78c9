{# Every label of a hierarchy with the share of the domain it covers; inputs: hierarchy, height, numeric, beyond; output: level, part, label, leaves, row_count, loss (0 one leaf … 1 all) #}
with domain as (
    select
        count(*) as leaves,
        max(position) - min(position) as extent
    from {{ hierarchy | name }}
    where value is null or listed < {{ beyond | number }}
),
nodes as (
    {% for level in range(height + 1) %}
    select
        {{ level | number }} as level,
        {{ "part" | numbered(level) }} as part,
        {% if level == 0 %}
        cast(null as varchar) as label,
        {% else %}
        min({{ "label" | numbered(level) }}) as label,
        {% endif %}
        count(*) as leaves,
        sum(row_count) as row_count,
        max(position) - min(position) as extent,
        max(case when value is not null and listed >= {{ beyond | number }} then 1 else 0 end) as beyond_list
    from {{ hierarchy | name }}
    group by {{ "part" | numbered(level) }}
    {{ "union all" if not loop.last }}
    {% endfor %}
)
select
    nodes.level,
    nodes.part,
    nodes.label,
    nodes.leaves,
    nodes.row_count,
    case
        when domain.leaves = 1 or nodes.level = 0 then 0.0
        when nodes.level = {{ height | number }} or nodes.beyond_list = 1 then 1.0
        when nodes.leaves = 1 then 0.0
        {% if numeric %}
        else coalesce(nodes.extent / nullif(domain.extent, 0), 0.0)
        {% else %}
        else cast(nodes.leaves - 1 as double) / (domain.leaves - 1)
        {% endif %}
    end as loss
from nodes
cross join domain
