{# As combinations, but short texts are grouped by sorting, because a table of all groups does not fit into memory; of long texts MariaDB would sort only the beginnings, and without the length it would mix texts that differ in zero bytes at their ends; inputs and output: as there #}
{% set grouped = quasi_identifiers | map(attribute="column") | list + ([entity] if entity else []) %}
select
    {% if grouped | length <= 20 and grouped | rejectattr("is_short") | list == [] %}
    sql_big_result
    {% endif %}
    {% for q in quasi_identifiers %}
    {% set column = q.column %}
    {% include "dialects/mysql/count/exact.sql" %} as {{ q.value | name }},
    {% endfor %}
    {% if entity %}
    {% set column = entity %}
    {% include "dialects/mysql/count/exact.sql" %} as person_value,
    {% endif %}
    count(*) as row_count
from {{ source | name }} as source_row
group by
    {% for column in grouped %}
    {% if column.kind == "text" %}
    char_length({{ column.name | name }}),
    {% endif %}
    {% include "dialects/mysql/count/exact.sql" %}{{ "," if not loop.last }}
    {% endfor %}
