{# MariaDB writes timestamps with trailing zeros, which are removed; inputs and output: as in the common template #}
select
    part_0 div {{ stride | number }} as code,
    value,
    position,
    min(position) over (order by part_0 desc) as low_position,
    max(position) over (order by part_0) as high_position,
    {% if kind in ("decimal", "single", "float", "timestamp") %}
    case
        when cast(value as char) like '%e%' then replace(cast(value as char), 'e+', 'e')
        when cast(value as char) like '%.%' then trim(trailing '.' from trim(trailing '0' from cast(value as char)))
        else cast(value as char)
    end as spelled,
    {% else %}
    cast(value as char) as spelled,
    {% endif %}
    row_count,
    case when listed < {{ unlisted | number }} then 1 else 0 end as is_leaf,
    sum(row_count) over (order by part_0) as rows_upto,
    sum(case when row_count > 0 then row_count * ln(cast(row_count as double)) else 0.0 end) over (order by part_0) as spread_upto,
    sum(case when listed < {{ unlisted | number }} then 1 else 0 end) over (order by part_0) as leaves_upto
from {{ hierarchy | name }}
where part_0 > 0
