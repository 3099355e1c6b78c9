{# The largest k that a node can reach if some rows may be suppressed; inputs: allowed_rows, counted (persons or class_size), and those of classes_template; output: k #}
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
            {% include classes_template %}
        ) as sizes
        group by {{ counted | name }}
    ) as counted
) as running
where smaller_rows <= {{ allowed_rows | number }}
