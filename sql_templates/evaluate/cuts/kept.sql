{# The cuts of all rounds; inputs: kept; output: round, number, region, dimension, split #}
select
    round,
    number,
    region,
    dimension,
    split
from {{ kept | name }}
