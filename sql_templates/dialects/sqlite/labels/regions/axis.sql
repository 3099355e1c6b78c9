{# A cast of a number to text would keep 15 digits in SQLite; inputs and output: as in the common template #}
select
    part_0 / {{ stride | number }} as code,
    value,
    position,
    min(position) over (order by part_0 desc) as low_position,
    max(position) over (order by part_0) as high_position,
    {% if kind in ("decimal", "single", "float") %}
    case
        when typeof(value) <> 'real' then cast(value as text)
        when value < -1.7976931348623157e308 then '-Infinity'
        when value > 1.7976931348623157e308 then 'Infinity'
        when value like '%e%' then replace(cast(value as text), 'e+', 'e')
        when cast(printf('%!.15g', value) as real) = value then rtrim(rtrim(printf('%!.15g', value), '0'), '.')
        when cast(printf('%!.16g', value) as real) = value then rtrim(rtrim(printf('%!.16g', value), '0'), '.')
        else printf('%!.17g', value)
    end as spelled,
    {% else %}
    cast(value as text) as spelled,
    {% endif %}
    row_count,
    case when listed < {{ unlisted | number }} then 1 else 0 end as is_leaf,
    sum(row_count) over (order by part_0) as rows_upto,
    sum(case when row_count > 0 then row_count * ln(cast(row_count as real)) else 0.0 end) over (order by part_0) as spread_upto,
    sum(case when listed < {{ unlisted | number }} then 1 else 0 end) over (order by part_0) as leaves_upto
from {{ hierarchy | name }}
where part_0 > 0
