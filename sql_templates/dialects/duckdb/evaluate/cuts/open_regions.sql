{# As open_regions, but if few combinations repeat, each further row has its own line: medians are then those of lines; inputs and output: as there #}
{% extends "evaluate/cuts/open_regions.sql" %}
{% block each_row %}
{% if few_repeats %}
union all
select
    cast(0 as integer) as region,
    {% for d in dimensions %}
    cast({{ d.part | name }} // {{ d.stride | number }} as integer) as {{ "code" | numbered(d.number) }},
    {% endfor %}
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    cast(0 as bigint) as row_count
from {{ frequencies | name }} as repeated
cross join unnest(range(1, repeated.row_count)) as further
where repeated.row_count > 1
{% endif %}
{% endblock %}
