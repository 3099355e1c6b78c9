{# Every label of the hierarchies with what it covers of its domain; inputs: columns (number, hierarchy_table, height, unlisted (position in the list from which leaves are not listed), is_numeric); output: number, level, part, label, leaves, row_count, the losses of a cell: loss, ncp, nllm (0 for one leaf … 1 for all), prec, entropy (bits), and disclosed (the information of the label, in bits) #}
with domains as (
    {% for c in columns %}
    select
        {{ c.number | number }} as number,
        {{ c.height | number }} as height,
        {{ c.is_numeric | number }} as is_numeric,
        sum(case when value is null or listed < {{ c.unlisted | number }} then 1 else 0 end) as leaves,
        max(case when value is null or listed < {{ c.unlisted | number }} then position end)
            - min(case when value is null or listed < {{ c.unlisted | number }} then position end) as extent,
        sum(row_count) as row_count
    from {{ c.hierarchy_table | name }}
    {{ "union all" if not loop.last }}
    {% endfor %}
),
nodes as (
    {% block nodes %}
    {% for c in columns %}
    {% for level in range(c.height + 1) %}
    select
        {{ c.number | number }} as number,
        {{ level | number }} as level,
        part,
        {% include "count/labels/covered.sql" %}
        min(label) as label
    from (
        select
            {{ "part" | numbered(level) }} as part,
            {% include "count/labels/leaf.sql" %}
            {% if level == 0 %}
            cast(null as varchar) as label
            {% else %}
            {{ "label" | numbered(level) }} as label
            {% endif %}
        from {{ c.hierarchy_table | name }}
    ) as leaves
    group by part
    {{ "union all" if not loop.last }}
    {% endfor %}
    {{ "union all" if not loop.last }}
    {% endfor %}
    {% endblock %}
)
{% include "count/labels/losses.sql" %}
