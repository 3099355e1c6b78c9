{# Bounds that are NULL, as the value NULL or as the root; inputs: labels (span, low, high), level, part; output: span, level, part #}
select
    span,
    {{ level | number }} as level,
    {{ part | number }} as part
from {{ labels | name }}
where low is null and high is null
