{# The values of a column that at least k rows share; inputs: sample, number, k; output: value, row_count #}
select
    {{ "c" | numbered(number) }} as value,
    count(*) as row_count
from {{ sample | name }}
where {{ "c" | numbered(number) }} is not null
group by {{ "c" | numbered(number) }}
having count(*) >= {{ k | number }}
order by count(*) desc, {{ "c" | numbered(number) }}
