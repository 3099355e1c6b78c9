{# Rows spread evenly over a sample; inputs: sample, numbers (of columns), step (every so manyth row), rows (at most); output: the columns c_1, c_2 … of these numbers #}
select
    {% for number in numbers %}
    {{ "c" | numbered(number) }}{{ "," if not loop.last }}
    {% endfor %}
from (
    select
        {% for number in numbers %}
        {{ "c" | numbered(number) }},
        {% endfor %}
        row_number() over () as place
    from {{ sample | name }}
) as numbered
where place % {{ step | number }} = 0
limit {{ rows | number }}
