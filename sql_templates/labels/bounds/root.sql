{# The bounds of the root: NULL in the column's type; inputs: hierarchy; output: low, high #}
select
    max(case when value is null then value end) as low,
    max(case when value is null then value end) as high
from {{ hierarchy | name }}
