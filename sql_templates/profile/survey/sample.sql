{# The sampled rows, comparable byte for byte; inputs: source, columns, rows; output: c_1, c_2 … #}
select
    {% for column in columns %}
    {{ column | exact }} as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ source | name }}
limit {{ rows | number }}
