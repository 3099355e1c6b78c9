{# The number of rows and the length of the longest text of each column; inputs: table, columns (names); output: row_count, a number per column #}
select
    count(*) as row_count
    {% for column in columns %}
    , coalesce(max(char_length({{ column | name }})), 0) as {{ "length" | numbered(loop.index) }}
    {% endfor %}
from {{ table | name }}
