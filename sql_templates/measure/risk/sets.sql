{# How well some columns together distinguish rows; inputs: number (of the set), classes, columns (names in classes); output: number, distinct_values, unique_rows, equal_pairs (the sum of the squared sizes) #}
select
    {{ number | number }} as number,
    count(*) as distinct_values,
    coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as unique_rows,
    coalesce(sum(cast(class_size as hugeint) * class_size), 0) as equal_pairs
from (
    select sum(class_size) as class_size
    from {{ classes | name }}
    group by {{ columns | names }}
) as sizes
