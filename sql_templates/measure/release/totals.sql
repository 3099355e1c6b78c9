{# Rows and classes of a released table; inputs: classes; output: row_count, classes #}
select
    coalesce(sum(class_size), 0) as row_count,
    count(*) as classes
from {{ classes | name }}
