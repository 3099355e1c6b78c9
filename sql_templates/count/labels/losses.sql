{#- The labels with the losses of a cell; reads domains (number, height, is_numeric, leaves, extent, row_count), nodes (number, level, part, label, leaves, row_count, extent, values_present, spread, has_unlisted); output: that of labels -#}
{% set shares = {"loss": ("extent_share", "other_leaf_share"), "ncp": ("extent_share", "leaf_share"), "nllm": ("other_leaf_share", "other_leaf_share")} %}
select
    nodes.number,
    nodes.level,
    nodes.part,
    nodes.label,
    nodes.leaves,
    nodes.row_count,
    {% for loss, (of_number, of_category) in shares.items() %}
    case
        when domains.leaves = 1 or nodes.level = 0 then 0.0
        when nodes.level = domains.height or nodes.has_unlisted = 1 then 1.0
        when nodes.leaves = 1 then 0.0
        when domains.is_numeric = 1 then {% include "count/labels/" ~ of_number ~ ".sql" %}
        else {% include "count/labels/" ~ of_category ~ ".sql" %}
    end as {{ loss | name }},
    {% endfor %}
    coalesce(cast(nodes.level as double) / nullif(domains.height, 0), 0.0) as prec,
    case
        when nodes.values_present < 2 then 0.0
        else (ln(cast(nodes.row_count as double)) - nodes.spread / nodes.row_count) / ln(2.0)
    end as entropy,
    case
        when nodes.row_count < domains.row_count and nodes.row_count > 0
            then ln(cast(domains.row_count as double) / nodes.row_count) / ln(2.0)
        else 0.0
    end as disclosed
from nodes
join domains on domains.number = nodes.number
