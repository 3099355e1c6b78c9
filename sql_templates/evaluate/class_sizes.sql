{# The verdict on a node; inputs: node (its number), rows, metrics (of classes), counted, failing_below, and those of judged_template; output: node, classes, smallest_class, unique_rows, failing_classes, failing_rows, smallest_published, failing_below_rows (rows that fail at every finer node), and per metric its value with and without suppression #}
select
    {{ node | number }} as node,
    count(*) as classes,
    min({{ counted | name }}) as smallest_class,
    sum(case when class_size = 1 then 1 else 0 end) as unique_rows,
    sum(suppressed) as failing_classes,
    sum(suppressed * class_size) as failing_rows,
    min(case when suppressed = 0 then {{ counted | name }} end) as smallest_published
    {% if failing_below %}
    , sum(failing_below * class_size) as failing_below_rows
    {% endif %}
    {% for metric in metrics %}
    {% for suppressed in ["suppressed", "nothing"] %}
    , {% include metric.template %} as {{ metric.name | numbered(loop.index) }}
    {% endfor %}
    {% endfor %}
from (
    {% include judged_template %}
) as class
