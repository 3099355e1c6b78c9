{# The values of a column that is not generalized in any class; inputs: nodes, found (the template of its nodes), c (number, height, stride, hierarchy_table, label_table); output: span, part, value, loss, ncp, nllm, prec, entropy, disclosed #}
select
    found.span,
    found.part,
    leaf.value,
    labels.loss,
    labels.ncp,
    labels.nllm,
    labels.prec,
    labels.entropy,
    labels.disclosed
from (
    {% include found %}
) as found
join {{ c.hierarchy_table | name }} as leaf on leaf.part_0 = found.part
join {{ c.label_table | name }} as labels
    on labels.part = found.part
    and labels.level = 0
