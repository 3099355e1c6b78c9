{# The columns of a query without its rows; inputs: source; output: its columns #}
select *
from {{ source | name }} as source_row
limit 0
