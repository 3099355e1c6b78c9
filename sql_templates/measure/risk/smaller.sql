{# Classes that have fewer rows in the population than in the table; inputs: classes; output: classes, row_count #}
select
    coalesce(sum(is_smaller), 0) as classes,
    coalesce(sum(is_smaller * class_size), 0) as row_count
from {{ classes | name }}
