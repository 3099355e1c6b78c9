{# The numbers of counted rows and combinations; inputs: combinations; output: row_count, combinations #}
select
    coalesce(sum(row_count), 0) as row_count,
    count(*) as combinations
from {{ combinations | name }}
