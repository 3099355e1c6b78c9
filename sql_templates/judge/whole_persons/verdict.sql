{# The verdict on a node with whole persons suppressed; inputs: classes (in parts), rows, metrics (of classes); output: published_classes, suppressed_rows, smallest_published, one column per metric #}
select
    coalesce(sum(1 - suppressed), 0) as published_classes,
    coalesce(sum(suppressed * class_size), 0) as suppressed_rows,
    min(case when suppressed = 0 then persons end) as smallest_published
    {% for metric in metrics %}
    , {% include metric.template %} as {{ metric.name | name }}
    {% endfor %}
from {{ classes | name }}
