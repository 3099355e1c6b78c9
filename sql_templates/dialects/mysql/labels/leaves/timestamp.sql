{# A timestamp column's values, in seconds; inputs and output as for a date #}
{% extends "dialects/mysql/labels/leaves/date.sql" %}
{% block position %}
    timestampdiff(microsecond, '1970-01-01', {{ q.value | name }}) / 1e6 as position,
{% endblock %}
