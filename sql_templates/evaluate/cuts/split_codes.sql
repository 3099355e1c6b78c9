{# The current codes of the values at which a plan cuts a column; inputs: splits (number, value), c (stride, hierarchy_table); output: number, code #}
select
    splits.number,
    leaves.part_0 // {{ c.stride | number }} as code
from {{ splits | name }} as splits
join {{ c.hierarchy_table | name }} as leaves on leaves.value = splits.value
