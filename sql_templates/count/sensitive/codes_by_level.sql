{# The code of each value of a sensitive column, 0 for NULL: that of its leaf, or of its label at a level; inputs: hierarchy, level; output: value, code #}
select
    value,
    {{ "part" | numbered(level) }} as code
from {{ hierarchy | name }}
where row_count > 0
