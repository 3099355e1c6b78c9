{# As next_regions, but in some rounds rows are stored by region: groupings by region then stay in the cache; inputs and output: as there #}
{% extends "evaluate/cuts/next_regions.sql" %}
{% block clustered %}
{% if clusters %}
order by region
{% endif %}
{% endblock %}
