{# The bounds of the first region, which has all codes; inputs: extents, rows; output: region, dimension, low_code (the last code below the region, 0 if there is none), high_code (its last code), side_rows #}
select
    cast(0 as bigint) as region,
    dimension,
    cast(0 as bigint) as low_code,
    cast(last_code as bigint) as high_code,
    {{ rows | number }} as side_rows
from {{ extents | name }}
