{# The leaves of a hierarchy and the rows of its column; inputs: hierarchy; output: leaves, occurring (leaves with a row), row_count, null_rows #}
select
    sum(case when value is not null then 1 else 0 end) as leaves,
    sum(case when value is not null and row_count > 0 then 1 else 0 end) as occurring,
    sum(row_count) as row_count,
    coalesce(sum(case when value is null then row_count end), 0) as null_rows
from {{ hierarchy | name }}
