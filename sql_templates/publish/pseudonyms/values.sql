{# The values of an identifier, each once; inputs: source, column; output: value #}
select distinct {{ column | exact }} as value
from {{ source | name }} as source_row
where {{ column.name | name }} is not null
