{#- Part of cuts: how often each value occurs in each open region; inputs: regions, dimensions; output: region, dimension, code, row_count -#}
{% for d in dimensions %}
select
    region,
    {{ d.number | number }} as dimension,
    ({{ "key" | numbered(d.key) }} // {{ d.stride | number }}) % {{ d.codes | number }} as code,
    cast(sum(row_count) as bigint) as row_count
from {{ regions | name }}
group by
    region,
    ({{ "key" | numbered(d.key) }} // {{ d.stride | number }}) % {{ d.codes | number }}
{{ "union all" if not loop.last }}
{% endfor %}
