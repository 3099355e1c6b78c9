{# Classes and rows published and suppressed; inputs: classes, counted (rows or persons), measures (number, model); output: published_classes, published_rows, suppressed_rows, unlabelled, smallest_class, and per measure the value of the worst published class #}
select
    coalesce(sum(1 - suppressed), 0) as published_classes,
    coalesce(sum((1 - suppressed) * class_size), 0) as published_rows,
    coalesce(sum(suppressed * class_size), 0) as suppressed_rows,
    coalesce(sum(unlabelled), 0) as unlabelled,
    min(case when suppressed = 0 then {{ counted | name }} end) as smallest_class
    {% for m in measures %}
    {% if m.model.bound == "at_least" %}
    , min(case when suppressed = 0 then {{ "measure" | numbered(m.number) }} end) as {{ "measure" | numbered(m.number) }}
    {% else %}
    , max(case when suppressed = 0 then {{ "measure" | numbered(m.number) }} end) as {{ "measure" | numbered(m.number) }}
    {% endif %}
    {% endfor %}
from {{ classes | name }}
