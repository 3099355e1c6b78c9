{# The same release for engines that drop the order of a derived table; inputs and output as in release #}
{% extends "publish/release.sql" %}
{% block sorted_before_labels %}
{% endblock %}
{% block sorted_last %}
order by carried.sort_key nulls first
{% endblock %}
