{# The values of a timestamp column, positions in seconds; inputs and output: as in date #}
{% extends "labels/leaves/date.sql" %}
{% block position %}
    cast(epoch({{ q.value | name }}) as double) as position,
{% endblock %}
