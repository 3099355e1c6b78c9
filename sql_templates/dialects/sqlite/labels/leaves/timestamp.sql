{# A timestamp column's values, in seconds; inputs and output as for a date #}
{% extends "dialects/sqlite/labels/leaves/date.sql" %}
{% block position %}
    case when day is not null then (julianday(value) - 2440587.5) * 86400.0 end as position,
{% endblock %}
