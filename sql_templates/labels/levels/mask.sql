{# Leaves whose last characters are hidden; inputs: leaves, hide, char (a code point); output: value, position, listed, row_count, label_1 … #}
with spelled as (
    select
        value,
        position,
        listed,
        row_count,
        cast(value as varchar) as characters,
        length(cast(value as varchar)) as size
    from {{ leaves | name }}
)
select
    value,
    position,
    listed,
    row_count,
    {% for hidden in hide %}
    case
        when value is null then null
        when size > {{ hidden | number }}
        then substr(characters, 1, size - {{ hidden | number }}) || repeat(chr({{ char | number }}), {{ hidden | number }})
        else repeat(chr({{ char | number }}), size)
    end as {{ "label" | numbered(loop.index) }},
    {% endfor %}
    '*' as {{ "label" | numbered(hide | length + 1) }}
from spelled
