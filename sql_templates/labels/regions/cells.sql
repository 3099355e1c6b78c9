{#- Part of ranges and ancestors: the distinct spans of a column, with the first and last code they cover and the last one below (none of NULL; of the whole column where it is mixed with values); inputs: spans, c (number, codes, by_region), cuts; output: span, below, first_code, last_code, mixed, mean -#}
{% if c.by_region %}
select
    {{ "span" | numbered(c.number) }} as span,
    {{ "low" | numbered(c.number) }} as below,
    case when {{ "high" | numbered(c.number) }} is not null then {{ "low" | numbered(c.number) }}{% if cuts %} + 1{% endif %} end as first_code,
    {{ "high" | numbered(c.number) }} as last_code,
    case when {{ "low" | numbered(c.number) }} is not null and {{ "high" | numbered(c.number) }} is null then 1 else 0 end as mixed,
    {% if c.dimension %}{{ "mean" | numbered(c.number) }}{% else %}null{% endif %} as mean
from {{ spans | name }}
{% else %}
select distinct
    {{ "span" | numbered(c.number) }} as span,
    case when {{ "span" | numbered(c.number) }} > 1 then {{ "low" | numbered(c.number) }} end as below,
    case when {{ "span" | numbered(c.number) }} > 1 then {{ "low" | numbered(c.number) }}{% if cuts %} + 1{% endif %} end as first_code,
    {{ "high" | numbered(c.number) }} as last_code,
    case when {{ "span" | numbered(c.number) }} = 0 then 1 else 0 end as mixed
from {{ spans | name }}
{% endif %}
