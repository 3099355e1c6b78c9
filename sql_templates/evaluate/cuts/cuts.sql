{# The cut of each region: at the median of the widest dimension whose sides both satisfy the policy; inputs: regions, dimensions, positions, extents, bounds (inherited by regions; none: widths are of the values present), codes, what judges sides, relaxed, last (ties to the last dimension), known_cuts (tables with those of other regions); output: number, region, dimension, split (the last code on the left), left_rows, right_rows #}
with counted as (
    {% include "evaluate/cuts/region_values.sql" %}
),
{% include "evaluate/cuts/medians.sql" %},
{% include "evaluate/cuts/allowed_cuts.sql" %},
{% include "evaluate/cuts/widths.sql" %}
select
    row_number() over (order by region nulls first) as number,
    region,
    dimension,
    split,
    left_rows,
    right_rows
from (
    select
        region,
        dimension,
        split,
        left_rows,
        right_rows,
        row_number() over (partition by region order by width desc nulls last, dimension{% if last %} desc nulls last{% else %} nulls first{% endif %}) as place
    from widths
    {% for known in known_cuts %}
    union all
    select
        region,
        dimension,
        split,
        left_rows,
        right_rows,
        1 as place
    from {{ known | name }}
    {% endfor %}
) as ranked
where place = 1
