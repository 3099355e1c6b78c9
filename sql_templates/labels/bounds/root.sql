{# The root has no bounds: NULL in the column's own type; inputs: hierarchy; output: low, high #}
select
    max(case when value is null then value end) as low,
    max(case when value is null then value end) as high
from {{ hierarchy | name }}
