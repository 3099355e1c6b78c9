{# The same release. Every row has a class, but for an inner join DuckDB would compute the key twice, to filter by the range of keys first. With 32 random bits, the sort key fits into 8 bytes (rows with equal bits may be in either order); inputs and output as in by_recoding #}
{% extends "publish/by_recoding.sql" %}
{% block finds_class %}
    left join
{%- endblock %}
{% block sorted_before_labels %}
    order by assigned.class, cast(random() * 4294967295 as uinteger)
{% endblock %}
