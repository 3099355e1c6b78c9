{# The cuts that a plan makes in this round, with the current rows on each side; inputs: regions, planned (round, number, region, dimension, split), round, dimensions; output: number, region, dimension, split, left_rows, right_rows #}
select
    number,
    region,
    dimension,
    split,
    left_rows,
    total - left_rows as right_rows
from (
    select
        planned.number,
        planned.region,
        planned.dimension,
        planned.split,
        cast(sum(
            case
                {% for d in dimensions %}
                when planned.dimension = {{ d.number | number }} and combination.{{ "code" | numbered(d.number) }} <= planned.split
                    then combination.row_count
                {% endfor %}
                else 0
            end
        ) as bigint) as left_rows,
        cast(sum(combination.row_count) as bigint) as total
    from {{ regions | name }} as combination
    join {{ planned | name }} as planned
        on planned.region = combination.region
        and planned.round = {{ round | number }}
    group by
        planned.number,
        planned.region,
        planned.dimension,
        planned.split
) as counted
