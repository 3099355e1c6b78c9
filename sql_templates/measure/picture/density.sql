{# The number of rows in each cell of a grid over two columns, without cells of fewer than k rows; inputs: assignments, frame, x, y (dimension or none, stride, hierarchy_table), grid (cells per axis), k; output: x_bin, y_bin, row_count #}
select
    x_bin,
    y_bin,
    cast(sum(row_count) as bigint) as row_count
from (
    select
        case
            when x_leaf.position >= frame.x_low + frame.x_extent then {{ (grid - 1) | number }}
            when frame.x_bent = 1
                then cast(floor({{ grid | number }} * ln(1 + 1000 * coalesce((x_leaf.position - frame.x_low) / frame.x_extent, 0.0)) / ln(1001)) as bigint)
            else cast(floor({{ grid | number }} * coalesce((x_leaf.position - frame.x_low) / frame.x_extent, 0.0)) as bigint)
        end as x_bin,
        case
            when y_leaf.position >= frame.y_low + frame.y_extent then {{ (grid - 1) | number }}
            when frame.y_bent = 1
                then cast(floor({{ grid | number }} * ln(1 + 1000 * coalesce((y_leaf.position - frame.y_low) / frame.y_extent, 0.0)) / ln(1001)) as bigint)
            else cast(floor({{ grid | number }} * coalesce((y_leaf.position - frame.y_low) / frame.y_extent, 0.0)) as bigint)
        end as y_bin,
        rows_of.row_count
    from {{ assignments | name }} as rows_of
    join {{ x.hierarchy_table | name }} as x_leaf
        on x_leaf.part_0 = (({{ "key" | numbered(x.dimension.key) }} // {{ x.dimension.stride | number }}) % {{ x.dimension.codes | number }}) * {{ x.dimension.stride | number }}
    join {{ y.hierarchy_table | name }} as y_leaf
        on y_leaf.part_0 = (({{ "key" | numbered(y.dimension.key) }} // {{ y.dimension.stride | number }}) % {{ y.dimension.codes | number }}) * {{ y.dimension.stride | number }}
    cross join {{ frame | name }} as frame
    where x_leaf.position is not null and y_leaf.position is not null
) as placed
group by x_bin, y_bin
having sum(row_count) >= {{ k | number }}
