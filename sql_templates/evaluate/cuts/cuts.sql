{# The cut of each region: at the median of the widest dimension along which a cut is allowed; inputs: regions, dimensions, positions, extents, bounds (inherited by regions; None means widths of the values present), last (ties go to the last dimension), known_cuts (tables with the cuts of other regions), allowed (CTE with the allowed cuts), allowed_template and its inputs; output: number, region, dimension, split (the last code on the left), left_rows, right_rows #}
with counted as (
    {% include "evaluate/cuts/region_values.sql" %}
),
{% include "evaluate/cuts/medians.sql" %},
{% include allowed_template %},
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
        row_number() over (
            partition by region
            order by
                width desc nulls last,
                {% if last %}
                dimension desc nulls last
                {% else %}
                dimension nulls first
                {% endif %}
        ) as preference
    from widths
    {% for known in known_cuts %}
    union all
    select
        region,
        dimension,
        split,
        left_rows,
        right_rows,
        1 as preference
    from {{ known | name }}
    {% endfor %}
) as ranked
where preference = 1
