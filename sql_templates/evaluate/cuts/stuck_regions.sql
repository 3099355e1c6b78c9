{# The combinations of regions that are not cut yet but have another choice; inputs: regions, choices (of those regions), choice (the next one); output: that of regions #}
select combination.*
from {{ regions | name }} as combination
join {{ choices | name }} as stuck on stuck.region = combination.region
where stuck.{{ "choice" | numbered(choice) }} is not null
