{#- Part of ranges, ancestors and range_members: the distinct spans of a column with the codes they cover; codes are null for NULL, alone or mixed with values; inputs: spans, c (number), cuts (whether low is the last code below); output: span, below (last code below), first_code, last_code, mixed (1 if NULL is mixed with values) -#}
select distinct
    {{ "span" | numbered(c.number) }} as span,
    case when {{ "span" | numbered(c.number) }} > 1 then {{ "low" | numbered(c.number) }} end as below,
    case when {{ "span" | numbered(c.number) }} > 1 then {{ "low" | numbered(c.number) }}{% if cuts %} + 1{% endif %} end as first_code,
    {{ "high" | numbered(c.number) }} as last_code,
    case when {{ "span" | numbered(c.number) }} = 0 then 1 else 0 end as mixed
from {{ spans | name }}
