{# Rows spread evenly over a sample; inputs: sample, numbers (of columns), step (1 row of this many), rows (at most); output: the columns c_1, c_2 … of these numbers #}
select
    {% for number in numbers %}
    {{ "c" | numbered(number) }}{{ "," if not loop.last }}
    {% endfor %}
from (
    select
        {% for number in numbers %}
        {{ "c" | numbered(number) }},
        {% endfor %}
        row_number() over () as row_position
    from {{ sample | name }}
) as numbered
where row_position % {{ step | number }} = 0
limit {{ rows | number }}
