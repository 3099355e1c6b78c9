{# Leaves with their last characters hidden; inputs: leaves, hide, char (a code point); output: value, position, listed, row_count, label_1 … #}
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
    substr(characters, 1, greatest(size - {{ hidden | number }}, 0))
        || repeat(chr({{ char | number }}), least(size, {{ hidden | number }})) as {{ "label" | numbered(loop.index) }},
    {% endfor %}
    '*' as {{ "label" | numbered(hide | length + 1) }}
from spelled
