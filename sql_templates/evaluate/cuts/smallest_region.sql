{# The rows of the smallest region; inputs: regions; output: class_size #}
select min(class_size) as class_size
from (
    select cast(sum(row_count) as bigint) as class_size
    from {{ regions | name }}
    group by region
) as sizes
