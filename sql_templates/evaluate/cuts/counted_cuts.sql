{# The cuts of a round per dimension; inputs: cuts, least_rows (of a side that may be cut again); output: dimension, cuts, small_sides (too small to be cut again), largest (rows of a region) #}
select
    dimension,
    count(*) as cuts,
    sum(
        case when left_rows < {{ least_rows | number }} then 1 else 0 end
        + case when right_rows < {{ least_rows | number }} then 1 else 0 end
    ) as small_sides,
    max(left_rows + right_rows) as largest
from {{ cuts | name }}
group by dimension
