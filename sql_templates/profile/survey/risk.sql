{# The classes of the source before anonymization; inputs: source, quasi_identifiers, k; output: row_count, classes, smallest_class, unique_rows, failing_rows (in classes below k) #}
select
    coalesce(sum(class_size), 0) as row_count,
    count(*) as classes,
    min(class_size) as smallest_class,
    coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as unique_rows,
    coalesce(sum(case when class_size < {{ k | number }} then class_size else 0 end), 0) as failing_rows
from (
    select count(*) as class_size
    from {{ source | name }}
    group by
        {% for column in quasi_identifiers %}
        {{ column | exact }}{{ "," if not loop.last }}
        {% endfor %}
) as classes
