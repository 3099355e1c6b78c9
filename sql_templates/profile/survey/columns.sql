{# Statistics of each column; inputs: sample, columns (number, kind); output: number, row_count, filled (rows with a value), distinct_values, unique_values (of one row), shortest, longest, addresses (e-mail), digits (digits only), iso_dates, smallest, largest #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    coalesce(sum(row_count), 0) as row_count,
    coalesce(sum(case when value is not null then row_count else 0 end), 0) as filled,
    count(value) as distinct_values,
    coalesce(sum(case when value is not null and row_count = 1 then 1 else 0 end), 0) as unique_values,
    {% if c.kind == "text" %}
    min(length(value)) as shortest,
    max(length(value)) as longest,
    coalesce(sum(case when value like '%_@_%._%' then 1 else 0 end), 0) as addresses,
    coalesce(sum(case
        when length(value) > 0
            and replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
                value, '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', '') = ''
        then 1
        else 0
    end), 0) as digits,
    coalesce(sum(case when value like '____-__-__' then 1 else 0 end), 0) as iso_dates,
    {% else %}
    cast(null as bigint) as shortest,
    cast(null as bigint) as longest,
    0 as addresses,
    0 as digits,
    0 as iso_dates,
    {% endif %}
    {% if c.kind in ("integer", "decimal", "single", "float") %}
    cast(min(value) as double) as smallest,
    cast(max(value) as double) as largest
    {% else %}
    cast(null as double) as smallest,
    cast(null as double) as largest
    {% endif %}
from (
    select
        {{ "c" | numbered(c.number) }} as value,
        count(*) as row_count
    from {{ sample | name }}
    group by {{ "c" | numbered(c.number) }}
) as counted
{{ "union all" if not loop.last }}
{% endfor %}
