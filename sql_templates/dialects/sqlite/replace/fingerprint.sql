{# A checksum of the rows in any order; text is passed to our function in hexadecimal, because it may not be UTF-8, and few columns at a time, because a function takes 100 arguments; inputs: table, columns; output: rows, checksum, probe #}
select
    count(*),
    kanon_checksum(
        {% for group in columns | batch(50) %}
        {% for column in group %}
        {% if not loop.first %}|| {% endif %}case typeof({{ column.name | name }})
            when 'null' then 'n|'
            when 'integer' then 'i' || {{ column.name | name }} || '|'
            when 'real' then printf('r%!.17g|', {{ column.name | name }})
            when 'text' then 't' || hex({{ column.name | name }}) || '|'
            else 'b' || hex({{ column.name | name }}) || '|'
        end
        {% endfor %}
        {{ "," if not loop.last }}
        {% endfor %}
    ),
    'blake2b of hexadecimal text'
from {{ table | name }}
