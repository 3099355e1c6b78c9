{# The values of a timestamp column, positions in seconds; inputs and output: as in date #}
{% extends "dialects/mysql/labels/leaves/date.sql" %}
{% block position %}
    timestampdiff(microsecond, '1970-01-01', {{ q.value | name }}) / 1e6 as position,
{% endblock %}
