{# The classes of which the population has fewer rows; inputs: classes; output: classes, row_count #}
select
    coalesce(sum(smaller_there), 0) as classes,
    coalesce(sum(smaller_there * class_size), 0) as row_count
from {{ classes | name }}
