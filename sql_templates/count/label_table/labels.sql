{#- CTEs of label_table: every label with what it covers; inputs: hierarchy, height, unlisted (position in the list from which leaves are not listed); output: domain (leaves, extent), everything (row_count), nodes (level, part, label, leaves, row_count, extent, values_present, spread, has_unlisted) -#}
domain as (
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
