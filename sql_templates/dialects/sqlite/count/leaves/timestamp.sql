{# A timestamp column's values, in seconds; inputs and output as for a date #}
{% extends "dialects/sqlite/count/leaves/date.sql" %}
{% block position %}
    (julianday({{ q.value | name }}) - 2440587.5) * 86400.0 as position,
{% endblock %}
