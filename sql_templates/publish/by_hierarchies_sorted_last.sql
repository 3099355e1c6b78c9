{# The same release for engines that drop the order of a derived table; inputs and output as in by_hierarchies #}
{% extends "publish/by_hierarchies.sql" %}
{% block sorted_before_labels %}
{% endblock %}
{% block sorted_last %}
order by
    {% for key in keys %}
    class.{{ "key" | numbered(loop.index) }},
    {% endfor %}
    random()
{% endblock %}
