{# Dates are text here, read to the second; what is no ISO date gets no year and so no label. Same inputs and output as the common template. #}
select
    {{ q.value | name }} as value,
    {% block position %}
    julianday(date({{ q.value | name }})) - 2440587.5 as position,
    {% endblock %}
    0 as listed,
    sum(row_count) as row_count,
    cast(strftime('%Y', substr({{ q.value | name }}, 1, 19)) as integer) as year,
    cast(strftime('%m', substr({{ q.value | name }}, 1, 19)) as integer) as month,
    cast(strftime('%Y', substr({{ q.value | name }}, 1, 19), '-3 days', 'weekday 4') as integer) as iso_year,
    (strftime('%j', substr({{ q.value | name }}, 1, 19), '-3 days', 'weekday 4') - 1) / 7 + 1 as iso_week
from {{ combinations | name }}
group by {{ q.value | name }}
