{# The same release. Every row has a class, but for an inner join DuckDB would compute the keys twice, to filter by their range first. An integer sorts faster than a double, and the class of a sorted row is the upper half of its sort key, so only the key is sorted with the row; inputs and output as in release #}
{% extends "publish/release.sql" %}
{% block carried_class %}
{% endblock %}
{% block sort_key %}
        (assigned.class << 32) | cast(random() * 4294967295 as bigint) as sort_key
{% endblock %}
{% block finds_class %}
    left join
{%- endblock %}
{% block class_of_row %}carried.sort_key >> 32{% endblock %}

