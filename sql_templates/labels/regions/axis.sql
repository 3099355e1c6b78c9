{# The values of a numeric column in the order of their codes, with running totals; inputs: hierarchy, stride, kind, unlisted; output: code, value, position, low_position, high_position, spelled, row_count, is_leaf, rows_upto, spread_upto, leaves_upto #}
select
    part_0 // {{ stride | number }} as code,
    value,
    position,
    min(position) over (order by part_0 desc nulls last) as low_position,
    max(position) over (order by part_0 nulls first) as high_position,
    {% if kind in ("decimal", "single", "float") %}
    case
        {% if kind != "decimal" %}
        when value < -1.7976931348623157e308 then '-Infinity'
        when value > 1.7976931348623157e308 and -value < -1.7976931348623157e308 then 'Infinity'
        when value > 1.7976931348623157e308 and value = value + 1 then 'NaN'
        {% endif %}
        when cast(value as varchar) like '%e%' then replace(cast(value as varchar), 'e+', 'e')
        when cast(value as varchar) like '%.%' then rtrim(rtrim(cast(value as varchar), '0'), '.')
        else cast(value as varchar)
    end as spelled,
    {% else %}
    cast(value as varchar) as spelled,
    {% endif %}
    row_count,
    case when listed < {{ unlisted | number }} then 1 else 0 end as is_leaf,
    sum(row_count) over (order by part_0 nulls first) as rows_upto,
    sum(case when row_count > 0 then row_count * ln(cast(row_count as double)) else 0.0 end) over (order by part_0 nulls first) as spread_upto,
    sum(case when listed < {{ unlisted | number }} then 1 else 0 end) over (order by part_0 nulls first) as leaves_upto
from {{ hierarchy | name }}
where part_0 > 0
