{# The cuts of one round, to be saved in a plan; inputs: cuts, round; output: round, number, region, dimension, split #}
select
    {{ round | number }} as round,
    number,
    region,
    dimension,
    split
from {{ cuts | name }}
