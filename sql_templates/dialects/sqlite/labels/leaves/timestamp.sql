{# The values of a timestamp column, positions in seconds; inputs and output: as in date #}
{% extends "dialects/sqlite/labels/leaves/date.sql" %}
{% block position %}
    case when day is not null then (julianday(value) - 2440587.5) * 86400.0 end as position,
{% endblock %}
