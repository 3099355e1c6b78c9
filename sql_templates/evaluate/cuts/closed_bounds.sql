{# The bounds of regions that cannot be cut (again), under final region numbers; inputs: bounds (of this round), next_bounds (of the sides), cuts, least_rows (of a side that may be cut again), base (added to the numbers of this round), next_base (added to those of the sides); output: region, dimension, low_code, high_code #}
select
    {{ base | number }} + bounds.region as region,
    bounds.dimension,
    bounds.low_code,
    bounds.high_code
from {{ bounds | name }} as bounds
left join {{ cuts | name }} as cut on cut.region = bounds.region
where cut.region is null and bounds.side_rows >= {{ least_rows | number }}
union all
select
    {{ next_base | number }} + region as region,
    dimension,
    low_code,
    high_code
from {{ next_bounds | name }}
where side_rows < {{ least_rows | number }}
