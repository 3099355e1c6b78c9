{# The same release; every row has a class, but an inner join would have DuckDB compute its key twice, to filter by the range of keys first; and with 32 random bits what is sorted by fits into 8 bytes (two rows that draw the same are in either order); inputs and output as in by_recoding #}
{% extends "publish/by_recoding.sql" %}
{% block finds_class %}
    left join
{%- endblock %}
{% block sorted_before_labels %}
    order by assigned.class, cast(random() * 4294967295 as uinteger)
{% endblock %}
