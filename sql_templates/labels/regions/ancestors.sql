{# The lowest common ancestor of each span of a category, and the loss of such a cell; inputs: spans, c (number, codes, by_region, column, label_table, hierarchy_table, height, stride), cuts; output: span, part (one number per distinct label), label, loss, ncp, nllm, entropy, disclosed #}
with cells as (
    {% include c.cells_template %}
),
found as (
    select
        cells.span,
        {% if c.column.kind == "boolean" %}
        case when last_leaf.value is null then null when last_leaf.value then 'true' else 'false' end as value,
        {% else %}
        last_leaf.value,
        {% endif %}
        case
            when cells.mixed = 1 then {{ c.height | number }}
            when cells.last_code is null or cells.first_code = cells.last_code then 0
            {% for level in range(1, c.height) %}
            when first_leaf.{{ "part" | numbered(level) }} = last_leaf.{{ "part" | numbered(level) }} then {{ level | number }}
            {% endfor %}
            else {{ c.height | number }}
        end as level,
        case
            when cells.mixed = 1 then {{ c.stride | number }}
            when cells.last_code is null then 0
            when cells.first_code = cells.last_code then last_leaf.part_0
            {% for level in range(1, c.height) %}
            when first_leaf.{{ "part" | numbered(level) }} = last_leaf.{{ "part" | numbered(level) }} then last_leaf.{{ "part" | numbered(level) }}
            {% endfor %}
            else {{ c.stride | number }}
        end as node
    from cells
    left join {{ c.hierarchy_table | name }} as first_leaf on first_leaf.part_0 = cells.first_code * {{ c.stride | number }}
    left join {{ c.hierarchy_table | name }} as last_leaf on last_leaf.part_0 = cells.last_code * {{ c.stride | number }}
),
published as (
    select
        found.span,
        case when found.level = 0 then found.value else labels.label end as label,
        labels.loss,
        labels.ncp,
        labels.nllm,
        labels.entropy,
        labels.disclosed
    from found
    join {{ c.label_table | name }} as labels
        on labels.part = found.node
        and labels.level = found.level
)
select
    span,
    dense_rank() over (order by label) as part,
    label,
    loss,
    ncp,
    nllm,
    entropy,
    disclosed
from published
