{# Bounds that equal the bounds of a label; inputs: labels (span, low, high), bounds (part, low, high), level; output: span, level, part #}
select
    labels.span,
    {{ level | number }} as level,
    bounds.part
from {{ labels | name }} as labels
join {{ bounds | name }} as bounds
    on (bounds.low = labels.low or (bounds.low is null and labels.low is null))
    and (bounds.high = labels.high or (bounds.high is null and labels.high is null))
where labels.low is not null or labels.high is not null
