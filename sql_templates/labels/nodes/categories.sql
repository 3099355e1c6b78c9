{# The labels of a category's nodes, values as text; inputs: nodes, c (number, height, stride, column, hierarchy_table, label_table); output: span, part (one number per distinct label), label, loss, ncp, nllm, prec, entropy, disclosed #}
select
    span,
    dense_rank() over (order by label) as part,
    label,
    loss,
    ncp,
    nllm,
    prec,
    entropy,
    disclosed
from (
    select
        found.span,
        case
            when found.level > 0 then labels.label
            {% if c.column.kind == "boolean" %}
            when leaf.value is null then null
            when leaf.value then 'true'
            else 'false'
            {% else %}
            else leaf.value
            {% endif %}
        end as label,
        labels.loss,
        labels.ncp,
        labels.nllm,
        labels.prec,
        labels.entropy,
        labels.disclosed
    from (
        {% include "labels/nodes/found.sql" %}
    ) as found
    join {{ c.label_table | name }} as labels
        on labels.part = found.part
        and labels.level = found.level
    left join {{ c.hierarchy_table | name }} as leaf
        on leaf.part_0 = found.part
        and found.level = 0
) as labelled
