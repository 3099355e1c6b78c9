{# A timestamp column's values, in seconds; inputs and output as for a date #}
{% extends "dialects/postgres/labels/leaves/date.sql" %}
{% block position %}
    case when isfinite({{ q.value | name }}) then cast(extract(epoch from {{ q.value | name }}) as double precision) end as position,
{% endblock %}
