{# Sizes of the published classes; inputs: classes; output: smallest, average, largest, median #}
with sizes as (
    select
        class_size,
        count(*) as classes
    from {{ classes | name }}
    where suppressed = 0
    group by class_size
),
cumulative as (
    select
        class_size,
        classes,
        sum(classes) over (order by class_size) as up_to,
        sum(classes) over () as total
    from sizes
)
select
    min(class_size) as smallest,
    cast(sum(class_size * classes) as double) / sum(classes) as average,
    max(class_size) as largest,
    cast(
        min(case when 2 * up_to >= total then class_size end) + min(case when 2 * up_to > total then class_size end) as double
    ) / 2 as median
from cumulative
