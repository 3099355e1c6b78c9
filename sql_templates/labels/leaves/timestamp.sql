{# A timestamp column's values, in seconds; inputs and output as for a date #}
{% extends "labels/leaves/date.sql" %}
{% block position %}
    cast(epoch({{ q.value | name }}) as double) as position,
{% endblock %}
