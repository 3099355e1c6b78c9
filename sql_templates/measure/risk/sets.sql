{# How far some columns together tell rows apart; inputs: number (of the question), classes, columns (names there); output: number, distinct_values, unique_rows, and the rows that each row equals, summed #}
select
    {{ number | number }} as number,
    count(*) as distinct_values,
    coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as unique_rows,
    coalesce(sum(cast(class_size as hugeint) * class_size), 0) as alike
from (
    select sum(class_size) as class_size
    from {{ classes | name }}
    group by {{ columns | names }}
) as alike_rows
