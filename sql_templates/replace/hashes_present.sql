{# Rows of a column that already hold a hash; inputs: table, column; output: rows that are not NULL, hashes #}
select
    count(held) as filled,
    coalesce(sum(case
        when length(held) = 64 and held = lower(held) and held not like '% %' then 1
        else 0
    end), 0) as hashes
from (
    select {{ column | exact }} as held
    from {{ table | name }}
) as present
