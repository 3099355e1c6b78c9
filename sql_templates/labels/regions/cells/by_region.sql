{#- As by_span, for a column whose regions are published one by one; inputs: spans, c (number, dimension), cuts (whether low is the last code below); output: that of by_span, and mean -#}
select
    {{ "span" | numbered(c.number) }} as span,
    {{ "low" | numbered(c.number) }} as below,
    case when {{ "high" | numbered(c.number) }} is not null then {{ "low" | numbered(c.number) }}{% if cuts %} + 1{% endif %} end as first_code,
    {{ "high" | numbered(c.number) }} as last_code,
    case when {{ "low" | numbered(c.number) }} is not null and {{ "high" | numbered(c.number) }} is null then 1 else 0 end as mixed,
    {% if c.dimension %}{{ "mean" | numbered(c.number) }}{% else %}null{% endif %} as mean
from {{ spans | name }}
