{# The first and last day of every label of a calendar level, for timestamps the beginning of the next label; inputs: labels, level, kind, unit, months (the length of a label); output: part, low, high #}
with first_months as (
    select
        part,
        cast(substr(label, 1, 4) as integer) * 12
            {% if unit == "month" %}
            + cast(substr(label, 6, 2) as integer) - 1
            {% elif unit == "quarter" %}
            + cast(substr(label, 7, 1) as integer) * 3 - 3
            {% endif %}
            as low_index
    from {{ labels | name }}
    where level = {{ level | number }}
),
last_months as (
    select
        part,
        low_index,
        low_index + {{ months | number }}{% if kind == "date" %} - 1{% endif %} as high_index
    from first_months
),
months as (
    select
        part,
        low_index // 12 as low_year,
        low_index % 12 + 1 as low_month,
        high_index // 12 as high_year,
        high_index % 12 + 1 as high_month
    from last_months
),
days as (
    select
        part,
        low_year,
        low_month,
        1 as low_day,
        high_year,
        high_month,
        {% if kind == "date" %}
        case
            when high_month in (4, 6, 9, 11) then 30
            when high_month <> 2 then 31
            when high_year % 400 = 0 or (high_year % 4 = 0 and high_year % 100 <> 0) then 29
            else 28
        end as high_day
        {% else %}
        1 as high_day
        {% endif %}
    from months
)
{% include "labels/bounds/spelled_days.sql" %}
