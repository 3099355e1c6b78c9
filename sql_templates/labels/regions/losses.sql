{#- Part of ranges and sets: the loss of the published cells; inputs: c (published, label_table, hierarchy_table, height, stride, column); reads published (span, the published columns, mixed, is_point, extent, leaves, row_count, spread), domain (leaves, extent); output: span, part, the published columns, loss, ncp, nllm, entropy, disclosed -#}
select
    published.span,
    dense_rank() over (order by {% for name in c.published %}published.{{ name | name }}{{ "," if not loop.last }}{% endfor %}) as part,
    {% for name in c.published %}
    published.{{ name | name }},
    {% endfor %}
    {% if c.column.is_numeric %}
    published.low_position,
    published.high_position,
    {% endif %}
    {% for cell in ["loss", "ncp", "nllm"] %}
    case
        when published.mixed = 1 then root.{{ cell | name }}
        when published.is_point = 1 or domain.leaves = 1 then 0.0
        {% if c.column.is_numeric and cell != "nllm" %}
        when domain.extent > 0 and published.extent > domain.extent then 1.0
        when domain.extent > 0 and published.extent > 0 then published.extent / domain.extent
        else 0.0
        {% elif cell == "ncp" %}
        when published.leaves > domain.leaves then 1.0
        else cast(published.leaves as double) / domain.leaves
        {% else %}
        when published.leaves > domain.leaves then 1.0
        else cast(published.leaves - 1 as double) / (domain.leaves - 1)
        {% endif %}
    end as {{ cell | name }},
    {% endfor %}
    case
        when published.mixed = 1 then root.entropy
        when published.is_point = 1 or published.row_count = 0 then 0.0
        else (ln(cast(published.row_count as double)) - published.spread / published.row_count) / ln(2.0)
    end as entropy,
    case
        when published.mixed = 1 or coalesce(published.row_count, nulls.row_count) = 0 then 0.0
        else ln(cast(root.row_count as double) / coalesce(published.row_count, nulls.row_count)) / ln(2.0)
    end as disclosed
from published
cross join domain
cross join (
    select coalesce(sum(row_count), 0) as row_count
    from {{ c.hierarchy_table | name }}
    where value is null
) as nulls
cross join (
    select
        loss,
        ncp,
        nllm,
        entropy,
        row_count
    from {{ c.label_table | name }}
    where level = {{ c.height | number }} and part = {{ c.stride | number }}
) as root
