{# The smallest and largest listed leaf under every label, NULL if unlisted values are among them; inputs: hierarchy, level, unlisted; output: part, low, high #}
select
    {{ "part" | numbered(level) }} as part,
    case when max(case when value is not null and listed >= {{ unlisted | number }} then 1 else 0 end) = 0 then min(value) end as low,
    case when max(case when value is not null and listed >= {{ unlisted | number }} then 1 else 0 end) = 0 then max(value) end as high
from {{ hierarchy | name }}
group by {{ "part" | numbered(level) }}
