{# The largest k a node can reach when so many rows may be suppressed; inputs: frequencies, keys, carried, label, allowed_rows; output: k #}
select max(class_size) as k
from (
    select
        class_size,
        sum(row_count) over (order by class_size) - row_count as smaller_rows
    from (
        select
            class_size,
            sum(class_size) as row_count
        from (
            {% include "evaluate/classes.sql" %}
        ) as sizes
        group by class_size
    ) as counted
) as running
where smaller_rows <= {{ allowed_rows | number }}
