{# As spread_rows, but rows are drawn by a fixed sequence of random numbers, because numbering all rows is slow; inputs and output: as there #}
select
    {% for number in numbers %}
    {{ "c" | numbered(number) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ sample | name }}
{% if step > 1 %}
where rand(42) * {{ step | number }} < 1
{% endif %}
limit {{ rows | number }}
