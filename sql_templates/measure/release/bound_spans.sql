{# Bounds that are not in the hierarchy, as closed ranges; inputs: labels (span, low, high), matched, lows, highs (value, position); output: span, low, high, low_open, high_open #}
select
    labels.span,
    lows.position as low,
    highs.position as high,
    0 as low_open,
    0 as high_open
from {{ labels | name }} as labels
left join {{ matched | name }} as matched on matched.span = labels.span
left join {{ lows | name }} as lows on lows.value = labels.low
left join {{ highs | name }} as highs on highs.value = labels.high
where matched.span is null and (labels.low is not null or labels.high is not null)
