{# PostgreSQL has infinite dates: they get no position and no year; inputs and output: as in the common template #}
select
    {{ q.value | name }} as value,
    {% block position %}
    case when isfinite({{ q.value | name }}) then cast({{ q.value | name }} - date '1970-01-01' as double precision) end as position,
    {% endblock %}
    0 as listed,
    sum(row_count) as row_count,
    case when isfinite({{ q.value | name }}) then cast(extract(year from {{ q.value | name }}) as integer) end as year,
    case when isfinite({{ q.value | name }}) then cast(extract(month from {{ q.value | name }}) as integer) end as month,
    case when isfinite({{ q.value | name }}) then cast(extract(isoyear from {{ q.value | name }}) as integer) end as iso_year,
    case when isfinite({{ q.value | name }}) then cast(extract(week from {{ q.value | name }}) as integer) end as iso_week
from {{ combinations | name }}
group by {{ q.value | name }}
