{# The classes as rectangles in a frame of the given size; inputs: classes, frame, x, y (number, table), size, most (the maximum number of rectangles; classes with the most rows come first); output: left_edge, right_edge, bottom_edge, top_edge, row_count #}
select
    left_edge,
    right_edge,
    bottom_edge,
    top_edge,
    cast(sum(class_size) as bigint) as row_count
from (
    select
        cast(round({{ size | number }} * case
            when frame.x_bent = 1 then ln(1 + 1000 * coalesce((x_cell.low_position - frame.x_low) / frame.x_extent, 0.0)) / ln(1001)
            else coalesce((x_cell.low_position - frame.x_low) / frame.x_extent, 0.0)
        end) as bigint) as left_edge,
        cast(round({{ size | number }} * case
            when frame.x_bent = 1 then ln(1 + 1000 * coalesce((x_cell.high_position - frame.x_low) / frame.x_extent, 0.0)) / ln(1001)
            else coalesce((x_cell.high_position - frame.x_low) / frame.x_extent, 0.0)
        end) as bigint) as right_edge,
        cast(round({{ size | number }} * case
            when frame.y_bent = 1 then ln(1 + 1000 * coalesce((y_cell.low_position - frame.y_low) / frame.y_extent, 0.0)) / ln(1001)
            else coalesce((y_cell.low_position - frame.y_low) / frame.y_extent, 0.0)
        end) as bigint) as bottom_edge,
        cast(round({{ size | number }} * case
            when frame.y_bent = 1 then ln(1 + 1000 * coalesce((y_cell.high_position - frame.y_low) / frame.y_extent, 0.0)) / ln(1001)
            else coalesce((y_cell.high_position - frame.y_low) / frame.y_extent, 0.0)
        end) as bigint) as top_edge,
        classes.class_size
    from {{ classes | name }} as classes
    join {{ x.table | name }} as x_cell on x_cell.span = classes.{{ "span" | numbered(x.number) }}
    join {{ y.table | name }} as y_cell on y_cell.span = classes.{{ "span" | numbered(y.number) }}
    cross join {{ frame | name }} as frame
    where x_cell.low_position is not null and y_cell.low_position is not null
) as placed
group by left_edge, right_edge, bottom_edge, top_edge
order by sum(class_size) desc, left_edge, bottom_edge, right_edge, top_edge
limit {{ most | number }}
