{# The lowest value and extent of two columns, and whether most rows are near the low end, which makes the axis logarithmic; inputs: x, y (hierarchy_table); output: x_low, x_extent, x_bent, y_low, y_extent, y_bent #}
select
    x_axis.low as x_low,
    x_axis.extent as x_extent,
    x_axis.bent as x_bent,
    y_axis.low as y_low,
    y_axis.extent as y_extent,
    y_axis.bent as y_bent
from (
    select
        ends.low,
        ends.extent,
        case
            when 2 * sum(case when leaf.position < ends.low + ends.extent / 20 then leaf.row_count else 0 end) > sum(leaf.row_count) then 1
            else 0
        end as bent
    from {{ x.hierarchy_table | name }} as leaf
    cross join (
        select
            min(position) as low,
            nullif(max(position) - min(position), 0) as extent
        from {{ x.hierarchy_table | name }}
        where row_count > 0
    ) as ends
    where leaf.position is not null
    group by ends.low, ends.extent
) as x_axis
cross join (
    select
        ends.low,
        ends.extent,
        case
            when 2 * sum(case when leaf.position < ends.low + ends.extent / 20 then leaf.row_count else 0 end) > sum(leaf.row_count) then 1
            else 0
        end as bent
    from {{ y.hierarchy_table | name }} as leaf
    cross join (
        select
            min(position) as low,
            nullif(max(position) - min(position), 0) as extent
        from {{ y.hierarchy_table | name }}
        where row_count > 0
    ) as ends
    where leaf.position is not null
    group by ends.low, ends.extent
) as y_axis
