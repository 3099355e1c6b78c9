{#- CTE of cuts: allowed cuts with the width of their dimension in their region; inputs: allowed (CTE with the allowed cuts), positions, extents, bounds; output: widths (region, dimension, split, left_rows, right_rows, width) -#}
widths as (
    select
        allowed.region,
        allowed.dimension,
        allowed.split,
        allowed.left_rows,
        allowed.right_rows,
        case
            when extents.extent > 0 and high_end.high_position > low_end.low_position
            then (high_end.high_position - low_end.low_position) / extents.extent * extents.weight
            else 0.0
        end as width
    from {{ allowed | name }} as allowed
    join {{ extents | name }} as extents on extents.dimension = allowed.dimension
    {% if bounds %}
    join {{ bounds | name }} as bounds
        on bounds.region = allowed.region
        and bounds.dimension = allowed.dimension
    left join {{ positions | name }} as low_end
        on low_end.code = case when bounds.low_code = 0 then 1 else bounds.low_code end
        and low_end.dimension = allowed.dimension
    left join {{ positions | name }} as high_end
        on high_end.code = bounds.high_code
        and high_end.dimension = allowed.dimension
    {% else %}
    left join {{ positions | name }} as low_end
        on low_end.code = allowed.low
        and low_end.dimension = allowed.dimension
    left join {{ positions | name }} as high_end
        on high_end.code = allowed.high
        and high_end.dimension = allowed.dimension
    {% endif %}
)
