{# The bounds of both sides of every cut; inputs: bounds, cuts; output: region, dimension, low_code, high_code, side_rows #}
select
    2 * cut.number + sides.side as region,
    bounds.dimension,
    case when sides.side = 1 and cut.dimension = bounds.dimension then cut.split else bounds.low_code end as low_code,
    case when sides.side = 0 and cut.dimension = bounds.dimension then cut.split else bounds.high_code end as high_code,
    case when sides.side = 0 then cut.left_rows else cut.right_rows end as side_rows
from {{ cuts | name }} as cut
join {{ bounds | name }} as bounds on bounds.region = cut.region
cross join (
    select 0 as side
    union all
    select 1 as side
) as sides
