{# Classes and rows published and suppressed; inputs: classes; output: published_classes, published_rows, suppressed_rows, unlabelled, smallest_class (published) #}
select
    coalesce(sum(1 - suppressed), 0) as published_classes,
    coalesce(sum((1 - suppressed) * class_size), 0) as published_rows,
    coalesce(sum(suppressed * class_size), 0) as suppressed_rows,
    coalesce(sum(unlabelled), 0) as unlabelled,
    min(case when suppressed = 0 then class_size end) as smallest_class
from {{ classes | name }}
