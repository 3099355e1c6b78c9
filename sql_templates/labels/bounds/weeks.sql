{# Monday and Sunday of every ISO week, for timestamps the next Monday; days are counted from 1 March of the year 0; inputs: labels, level, kind; output: part, low, high #}
with years as (
    select
        part,
        cast(substr(label, 1, 4) as integer) - 1 as before,
        cast(substr(label, 7, 2) as integer) - 1 as week
    from {{ labels | name }}
    where level = {{ level | number }}
),
fourths as (
    select
        part,
        week,
        365 * before + before // 4 - before // 100 + before // 400 + 4 as january_4
    from years
),
numbered as (
    select
        part,
        january_4 - (january_4 - 1) % 7 + week * 7 + 305 as low,
        january_4 - (january_4 - 1) % 7 + week * 7 + 305 + {% if kind == "date" %}6{% else %}7{% endif %} as high
    from fourths
),
{# Four centuries have 146,097 days; then the year in them, the day of that year, and the month of 153 days in five. #}
eras as (
    select
        part,
        {% for bound in ["low", "high"] %}
        {{ bound | name }} // 146097 as {{ (bound ~ "_era") | name }},
        {{ bound | name }} % 146097 as {{ (bound ~ "_of_era") | name }}{{ "," if not loop.last }}
        {% endfor %}
    from numbered
),
years_of_era as (
    select
        part,
        {% for bound in ["low", "high"] %}
        {{ (bound ~ "_era") | name }},
        {{ (bound ~ "_of_era") | name }},
        ({{ (bound ~ "_of_era") | name }} - {{ (bound ~ "_of_era") | name }} // 1460 + {{ (bound ~ "_of_era") | name }} // 36524
            - {{ (bound ~ "_of_era") | name }} // 146096) // 365 as {{ (bound ~ "_y") | name }}{{ "," if not loop.last }}
        {% endfor %}
    from eras
),
days_of_year as (
    select
        part,
        {% for bound in ["low", "high"] %}
        {{ (bound ~ "_era") | name }} * 400 + {{ (bound ~ "_y") | name }} as {{ (bound ~ "_y") | name }},
        {{ (bound ~ "_of_era") | name }} - (365 * {{ (bound ~ "_y") | name }} + {{ (bound ~ "_y") | name }} // 4 - {{ (bound ~ "_y") | name }} // 100)
            as {{ (bound ~ "_d") | name }}{{ "," if not loop.last }}
        {% endfor %}
    from years_of_era
),
months_from_march as (
    select
        part,
        {% for bound in ["low", "high"] %}
        {{ (bound ~ "_y") | name }},
        {{ (bound ~ "_d") | name }},
        (5 * {{ (bound ~ "_d") | name }} + 2) // 153 as {{ (bound ~ "_m") | name }}{{ "," if not loop.last }}
        {% endfor %}
    from days_of_year
),
days as (
    select
        part,
        {% for bound in ["low", "high"] %}
        {{ (bound ~ "_y") | name }} + case when {{ (bound ~ "_m") | name }} < 10 then 0 else 1 end as {{ (bound ~ "_year") | name }},
        {{ (bound ~ "_m") | name }} + case when {{ (bound ~ "_m") | name }} < 10 then 3 else -9 end as {{ (bound ~ "_month") | name }},
        {{ (bound ~ "_d") | name }} - (153 * {{ (bound ~ "_m") | name }} + 2) // 5 + 1 as {{ (bound ~ "_day") | name }}{{ "," if not loop.last }}
        {% endfor %}
    from months_from_march
)
{% include "labels/bounds/spelled_days.sql" %}
