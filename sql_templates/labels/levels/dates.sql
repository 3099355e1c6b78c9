{# Leaves in calendar units; inputs: leaves (with year, month, iso_year, iso_week), units; output: value, position, listed, row_count, label_1 … #}
with spelled as (
    select
        value,
        position,
        listed,
        row_count,
        case when year between 0 and 9999 then substr(cast(10000 + year as varchar), 2) end as year_4,
        substr(cast(100 + month as varchar), 2) as month_2,
        cast((month + 2 - (month + 2) % 3) / 3 as integer) as quarter,
        case when iso_year between 0 and 9999 then substr(cast(10000 + iso_year as varchar), 2) end as iso_year_4,
        substr(cast(100 + iso_week as varchar), 2) as iso_week_2
    from {{ leaves | name }}
)
select
    value,
    position,
    listed,
    row_count,
    {% for unit in units %}
    {% if unit == "week" %}
    iso_year_4 || '-W' || iso_week_2 as {{ "label" | numbered(loop.index) }},
    {% elif unit == "month" %}
    year_4 || '-' || month_2 as {{ "label" | numbered(loop.index) }},
    {% elif unit == "quarter" %}
    year_4 || '-Q' || cast(quarter as varchar) as {{ "label" | numbered(loop.index) }},
    {% elif unit == "year" %}
    year_4 as {{ "label" | numbered(loop.index) }},
    {% elif unit == "decade" %}
    substr(year_4, 1, 3) || '0s' as {{ "label" | numbered(loop.index) }},
    {% elif unit == "century" %}
    substr(year_4, 1, 2) || '00-' || substr(year_4, 1, 2) || '99' as {{ "label" | numbered(loop.index) }},
    {% endif %}
    {% endfor %}
    '*' as {{ "label" | numbered(units | length + 1) }}
from spelled
