{# How many codes a reference has, and of how many rows or pairs; inputs: reference; output: codes, row_count #}
select
    count(*) as codes,
    coalesce(sum(row_count), 0) as row_count
from {{ reference | name }}
