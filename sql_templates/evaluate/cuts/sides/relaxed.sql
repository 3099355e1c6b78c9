{#- The combinations of regions, halved by rows in the order of the cut's dimension, then of all others; a combination may be on both sides, and one of a region without a cut is on the left with a null number; inputs: regions, cuts, dimensions, codes; output: region, number, side (0 left, 1 right), left_rows, right_rows, code_1 …, the codes, first_row, row_count -#}
select
    region,
    number,
    side,
    left_rows,
    right_rows,
    {% include "evaluate/cuts/combination.sql" %}
    case when side = 0 then first_row else first_row + left_part end as first_row,
    case when side = 0 then left_part else row_count - left_part end as row_count
from (
    select
        region,
        number,
        left_rows,
        right_rows,
        {% include "evaluate/cuts/combination.sql" %}
        first_row,
        row_count,
        case
            when number is null or upto <= left_rows then row_count
            when upto - row_count >= left_rows then 0
            else left_rows - (upto - row_count)
        end as left_part
    from (
        {% include "evaluate/cuts/sides/running.sql" %}
    ) as running
) as parted
cross join (
    select 0 as side
    union all
    select 1 as side
) as both_sides
where (number is not null or side = 0) and case when side = 0 then left_part else row_count - left_part end > 0
