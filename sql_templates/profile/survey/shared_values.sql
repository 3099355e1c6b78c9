{# The values of a column that at least k rows share; inputs: sample, number, kind, k; output: value (timestamps as text), row_count #}
select
    {% if kind == "timestamp" %}
    cast({{ "c" | numbered(number) }} as varchar) as value,
    {% else %}
    {{ "c" | numbered(number) }} as value,
    {% endif %}
    count(*) as row_count
from {{ sample | name }}
where {{ "c" | numbered(number) }} is not null
group by {{ "c" | numbered(number) }}
having count(*) >= {{ k | number }}
order by count(*) desc, {{ "c" | numbered(number) }}
