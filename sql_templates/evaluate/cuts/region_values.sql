{#- Part of cuts: the rows of each value in each region, along every dimension; inputs: regions, dimensions; output: region, dimension, code, row_count -#}
{% for d in dimensions %}
select
    region,
    {{ d.number | number }} as dimension,
    {{ "code" | numbered(d.number) }} as code,
    cast(sum(row_count) as bigint) as row_count
from {{ regions | name }}
group by
    region,
    {{ "code" | numbered(d.number) }}
{{ "union all" if not loop.last }}
{% endfor %}
