{# MariaDB needs the mode of ISO weeks; inputs and output: as in the common template #}
select
    {{ q.value | name }} as value,
    {% block position %}
    cast(datediff({{ q.value | name }}, '1970-01-01') as double) as position,
    {% endblock %}
    0 as listed,
    sum(row_count) as row_count,
    year({{ q.value | name }}) as year,
    month({{ q.value | name }}) as month,
    yearweek({{ q.value | name }}, 3) div 100 as iso_year,
    yearweek({{ q.value | name }}, 3) % 100 as iso_week
from {{ combinations | name }}
group by {{ q.value | name }}
