{# SQLite stores dates as text, of which the first ten characters count: a value that is not an ISO date gets no year and so no label; inputs and output: as in the common template #}
with dated as (
    select
        {{ q.value | name }} as value,
        case
            when {{ q.value | name }} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' and date(substr({{ q.value | name }}, 1, 10), '+0 days') = substr({{ q.value | name }}, 1, 10)
            then substr({{ q.value | name }}, 1, 10)
        end as day,
        sum(row_count) as row_count
    from {{ combinations | name }}
    group by {{ q.value | name }}
)
select
    value,
    {% block position %}
    julianday(day) - 2440587.5 as position,
    {% endblock %}
    0 as listed,
    row_count,
    cast(strftime('%Y', day) as integer) as year,
    cast(strftime('%m', day) as integer) as month,
    cast(strftime('%Y', day, '-3 days', 'weekday 4') as integer) as iso_year,
    (strftime('%j', day, '-3 days', 'weekday 4') - 1) / 7 + 1 as iso_week
from dated
