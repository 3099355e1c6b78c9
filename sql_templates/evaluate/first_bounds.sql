{# The bounds of the one region that nothing has cut yet: all codes; inputs: extents; output: region, dimension, low_code (the last code below it, 0 where there is none), high_code (its last code) #}
select
    cast(0 as bigint) as region,
    dimension,
    cast(0 as bigint) as low_code,
    cast(last_code as bigint) as high_code
from {{ extents | name }}
