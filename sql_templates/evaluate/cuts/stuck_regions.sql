{# The combinations of regions that are not cut yet; inputs: regions, choices (of those regions), place (of a choice that is left); output: that of regions #}
select placed.*
from {{ regions | name }} as placed
join {{ choices | name }} as stuck on stuck.region = placed.region
where stuck.{{ "choice" | numbered(place) }} is not null
