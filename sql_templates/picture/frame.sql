{# From where to where two columns extend; inputs: x, y (hierarchy_table); output: x_low, x_extent, y_low, y_extent #}
select
    x_axis.low as x_low,
    x_axis.extent as x_extent,
    y_axis.low as y_low,
    y_axis.extent as y_extent
from (
    select
        min(position) as low,
        nullif(max(position) - min(position), 0) as extent
    from {{ x.hierarchy_table | name }}
    where row_count > 0
) as x_axis
cross join (
    select
        min(position) as low,
        nullif(max(position) - min(position), 0) as extent
    from {{ y.hierarchy_table | name }}
    where row_count > 0
) as y_axis
