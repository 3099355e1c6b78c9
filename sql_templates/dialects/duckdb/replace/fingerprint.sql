{# A number that the same rows give in any order, and what the hash makes of a known text; inputs: table, columns; output: rows, checksum, probe #}
select
    count(*),
    cast(coalesce(sum(hash(
        {% for column in columns %}
        {{ column.name | name }}{{ "," if not loop.last }}
        {% endfor %}
    )), 0) as varchar),
    cast(hash('kanon') as varchar)
from {{ table | name }}
