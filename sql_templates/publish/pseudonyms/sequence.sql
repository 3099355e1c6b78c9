{# A number for every value of an identifier, unrelated to any order; inputs: identifiers; output: value, pseudonym #}
select
    value,
    row_number() over (order by shuffled) as pseudonym
from (
    select
        value,
        random() as shuffled
    from {{ identifiers | name }}
) as drawn
