{# The values of a date column, positions in days; inputs: combinations, q; output: value, position, listed, row_count, year, month, iso_year, iso_week #}
select
    {{ q.value | name }} as value,
    {% block position %}
    cast(date_diff('day', date '1970-01-01', {{ q.value | name }}) as double) as position,
    {% endblock %}
    0 as listed,
    sum(row_count) as row_count,
    cast(extract(year from {{ q.value | name }}) as integer) as year,
    cast(extract(month from {{ q.value | name }}) as integer) as month,
    cast(extract(isoyear from {{ q.value | name }}) as integer) as iso_year,
    cast(extract(week from {{ q.value | name }}) as integer) as iso_week
from {{ combinations | name }}
group by {{ q.value | name }}
