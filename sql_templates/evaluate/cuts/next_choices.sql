{# The choices of regions that are not cut yet; inputs: choices, cuts; output: that of choices #}
select choices.*
from {{ choices | name }} as choices
left join {{ cuts | name }} as cut on cut.region = choices.region
where cut.region is null
