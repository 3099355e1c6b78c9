{# The same release for engines that drop the order of a derived table; inputs and output as in by_recoding #}
{% extends "publish/by_recoding.sql" %}
{% block sorted_before_labels %}
{% endblock %}
{% block sorted_last %}
order by class.class, random()
{% endblock %}
