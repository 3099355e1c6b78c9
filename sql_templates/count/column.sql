{# The values of one column of the source; inputs: source, q; output: the value under its name among combinations, row_count #}
select
    {{ q.column | exact }} as {{ q.value | name }},
    count(*) as row_count
from {{ source | name }} as source_row
group by {{ q.column | exact }}
