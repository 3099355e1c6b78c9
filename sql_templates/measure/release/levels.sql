{# Number of cells on each level; inputs: candidates; output: level, cells #}
select
    level,
    count(distinct span) as cells
from {{ candidates | name }}
group by level
order by level
