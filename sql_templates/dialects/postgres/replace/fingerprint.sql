{# A number that the same rows give in any order, and what the hash makes of a known text; inputs: table, columns; output: rows, checksum, probe #}
select
    count(*),
    cast(coalesce(sum(hashtextextended(cast(row(
        {% for column in columns %}
        {{ column.name | name }}{{ "," if not loop.last }}
        {% endfor %}
    ) as text), 0)), 0) as text),
    cast(hashtextextended('kanon', 0) as text)
from {{ table | name }}
