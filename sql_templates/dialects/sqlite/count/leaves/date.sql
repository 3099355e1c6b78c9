{# Dates are text here; what is no ISO date gets no year and so no label. Same inputs and output as the common template. #}
select
    {{ q.value | name }} as value,
    julianday(date({{ q.value | name }})) - 2440587.5 as position,
    0 as listed,
    sum(row_count) as row_count,
    cast(strftime('%Y', {{ q.value | name }}) as integer) as year,
    cast(strftime('%m', {{ q.value | name }}) as integer) as month,
    cast(strftime('%Y', {{ q.value | name }}, '-3 days', 'weekday 4') as integer) as iso_year,
    (strftime('%j', {{ q.value | name }}, '-3 days', 'weekday 4') - 1) / 7 + 1 as iso_week
from {{ combinations | name }}
group by {{ q.value | name }}
