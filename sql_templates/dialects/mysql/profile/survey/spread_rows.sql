{# The same, where numbering all rows is slow: rows are drawn by a fixed sequence of random numbers #}
select
    {% for number in numbers %}
    {{ "c" | numbered(number) }}{{ "," if not loop.last }}
    {% endfor %}
from {{ sample | name }}
{% if step > 1 %}
where rand(42) * {{ step | number }} < 1
{% endif %}
limit {{ rows | number }}
