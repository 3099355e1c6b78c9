{# Every label of a hierarchy with what it covers of the domain; inputs: hierarchy, height, numeric, unlisted; output: level, part, label, leaves, row_count, and what a cell with it loses: loss, ncp, nllm (0 one leaf … 1 all), prec, entropy (bits); told: the bits it tells of a value #}
with domain as (
    select
        count(*) as leaves,
        max(position) - min(position) as extent
    from {{ hierarchy | name }}
    where value is null or listed < {{ unlisted | number }}
),
everything as (
    select sum(row_count) as row_count
    from {{ hierarchy | name }}
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
        sum(case when row_count > 0 then 1 else 0 end) as values_present,
        sum(case when row_count > 0 then row_count * ln(cast(row_count as double)) else 0.0 end) as spread,
        max(case when value is not null and listed >= {{ unlisted | number }} then 1 else 0 end) as has_unlisted
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
    {% for cell in ["loss", "ncp", "nllm"] %}
    case
        when domain.leaves = 1 or nodes.level = 0 then 0.0
        when nodes.level = {{ height | number }} or nodes.has_unlisted = 1 then 1.0
        when nodes.leaves = 1 then 0.0
        {% if numeric and cell != "nllm" %}
        else coalesce(nodes.extent / nullif(domain.extent, 0), 0.0)
        {% elif cell == "ncp" %}
        else cast(nodes.leaves as double) / domain.leaves
        {% else %}
        else cast(nodes.leaves - 1 as double) / (domain.leaves - 1)
        {% endif %}
    end as {{ cell | name }},
    {% endfor %}
    cast(nodes.level as double) / {{ [height, 1] | max | number }} as prec,
    case
        when nodes.values_present < 2 then 0.0
        else (ln(cast(nodes.row_count as double)) - nodes.spread / nodes.row_count) / ln(2.0)
    end as entropy,
    case
        when nodes.row_count < everything.row_count and nodes.row_count > 0
            then ln(cast(everything.row_count as double) / nodes.row_count) / ln(2.0)
        else 0.0
    end as told
from nodes
cross join domain
cross join everything
