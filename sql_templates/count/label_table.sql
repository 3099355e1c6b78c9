{# The labels of one hierarchy; inputs: labels, number; output: level, part, label, leaves, row_count, loss, ncp, nllm, prec, entropy, disclosed #}
select
    level,
    part,
    label,
    leaves,
    row_count,
    loss,
    ncp,
    nllm,
    prec,
    entropy,
    disclosed
from {{ labels | name }}
where number = {{ number | number }}
