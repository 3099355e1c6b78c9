{# The labels of the nodes of numbers or dates, values as text; inputs: nodes, c (number, height, stride, hierarchy_table, label_table), axis (code, spelled); output: span, part (one number per distinct label), label, loss, ncp, nllm, prec, entropy, disclosed #}
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
        case when found.level > 0 then labels.label else axis.spelled end as label,
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
    left join {{ axis | name }} as axis
        on axis.code = found.part // {{ c.stride | number }}
        and found.level = 0
) as labelled
