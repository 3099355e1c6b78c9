{# The first rows of a sample; inputs: sample, numbers (of columns), rows; output: c_1, c_2 … #}
select
    {% for number in numbers %}
    {{ "c" | numbered(number) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ sample | name }}
limit {{ rows | number }}
