{# A number that the same rows give in any order; inputs: table, columns; output: rows, checksum, probe #}
select
    count(*),
    kanon_checksum(
        {% for column in columns %}
        {{ column.name | name }}{{ "," if not loop.last }}
        {% endfor %}
    ),
    'blake2b'
from {{ table | name }}
