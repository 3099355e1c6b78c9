{# Risk figures of the classes of a table; inputs: classes, metrics (name, template), population_size, at_most; output: row_count, classes, smallest_class, unique_rows, one column per metric #}
select
    coalesce(sum(class_size), 0) as row_count,
    count(*) as classes,
    min(class_size) as smallest_class,
    coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as unique_rows,
    {% for metric in metrics %}
    {% include metric.template %} as {{ metric.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ classes | name }}
