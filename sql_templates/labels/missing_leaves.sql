{# The rows of the first listed leaf, and the number of other leaves without rows; inputs: labelled, leaves (their number); output: first_rows, missing #}
select
    coalesce(sum(case when listed = 1 then row_count end), 0) as first_rows,
    coalesce(sum(case when listed > 1 and row_count = 0 then 1 end), 0) as missing
from {{ labelled | name }}
where listed <= {{ leaves | number }}
