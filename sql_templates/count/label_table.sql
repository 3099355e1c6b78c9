{# Every label of a hierarchy with what it covers of the domain; inputs: hierarchy, height, unlisted, losses (template per loss); output: level, part, label, leaves, row_count, the losses of a cell: loss, ncp, nllm (0 for one leaf … 1 for all), prec, entropy (bits), and disclosed (the information of the label, in bits) #}
with
{% include "count/label_table/labels.sql" %}
select
    nodes.level,
    nodes.part,
    nodes.label,
    nodes.leaves,
    nodes.row_count,
    {% for loss, template in losses.items() %}
    case
        when domain.leaves = 1 or nodes.level = 0 then 0.0
        when nodes.level = {{ height | number }} or nodes.has_unlisted = 1 then 1.0
        when nodes.leaves = 1 then 0.0
        else {% include template %}
    end as {{ loss | name }},
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
    end as disclosed
from nodes
cross join domain
cross join everything
