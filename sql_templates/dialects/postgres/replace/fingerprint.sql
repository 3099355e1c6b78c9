{# A checksum of the rows in any order, and the hash of a known text; inputs: table, columns; output: rows, checksum, probe #}
select
    count(*),
    cast(coalesce(sum(hashtextextended(cast(row(
        {% for column in columns %}
        {{ column.name | name }}{{ "," if not loop.last }}
        {% endfor %}
    ) as text), 0)), 0) as text),
    cast(hashtextextended('kanon', 0) as text)
from {{ table | name }}
