{# The values of a timestamp column, positions in seconds; inputs and output: as in date #}
{% extends "dialects/postgres/labels/leaves/date.sql" %}
{% block position %}
    case when isfinite({{ q.value | name }}) then cast(extract(epoch from {{ q.value | name }}) as double precision) end as position,
{% endblock %}
