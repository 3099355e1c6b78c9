{# The combinations of the source as packed keys of their leaves; inputs: source, keys (each a list of parts: coded, level, maps), codes, published and whole_persons (nothing); output: key_1 …, row_count #}
select
    {% for key in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    count(*) as row_count
from (
    select
        {% include "publish/row_keys.sql" %}
        1 as counted
    {% include "publish/row_joins.sql" %}
) as packed_row
{% if keys %}
group by
    {% for key in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
