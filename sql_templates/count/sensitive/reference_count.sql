{# The numbers of codes and rows (or pairs of person and value) of a reference; inputs: reference; output: codes, row_count #}
select
    count(*) as codes,
    coalesce(sum(row_count), 0) as row_count
from {{ reference | name }}
