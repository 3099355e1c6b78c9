{# The same combinations, now and then stored by region, so that groupings by it stay in the cache; inputs and output as in next_regions #}
{% extends "evaluate/cuts/next_regions.sql" %}
{% block clustered %}
{% if clusters %}
order by region
{% endif %}
{% endblock %}
