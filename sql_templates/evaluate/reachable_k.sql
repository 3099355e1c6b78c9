{# The largest k a node can reach when so many rows may be suppressed; inputs: allowed_rows, counted (rows or persons) and those of classes; output: k #}
select max(size) as k
from (
    select
        size,
        sum(row_count) over (order by size) - row_count as smaller_rows
    from (
        select
            {{ counted | name }} as size,
            sum(class_size) as row_count
        from (
            {% include "evaluate/classes.sql" %}
        ) as sizes
        group by {{ counted | name }}
    ) as counted
) as running
where smaller_rows <= {{ allowed_rows | number }}
