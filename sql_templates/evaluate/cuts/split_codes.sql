{# Today's codes of the values at which a plan cuts a column; inputs: splits (place, value), c (stride, hierarchy_table); output: place, code #}
select
    splits.place,
    leaves.part_0 // {{ c.stride | number }} as code
from {{ splits | name }} as splits
join {{ c.hierarchy_table | name }} as leaves on leaves.value = splits.value
