{# Part of dates and weeks: years, months and days as dates; inputs: kind; reads days (part, and year, month, day of low and high); output: part, low, high #}
select
    part,
    {% for bound in ["low", "high"] %}
    cast(case
        when {{ (bound ~ "_year") | name }} between 0 and 9999
        then substr(cast(10000 + {{ (bound ~ "_year") | name }} as varchar), 2)
            || '-' || substr(cast(100 + {{ (bound ~ "_month") | name }} as varchar), 2)
            || '-' || substr(cast(100 + {{ (bound ~ "_day") | name }} as varchar), 2)
            {% if kind == "timestamp" %}
            || ' 00:00:00'
            {% endif %}
    {% if kind == "timestamp" %}
    end as timestamp) as {{ bound | name }}{{ "," if not loop.last }}
    {% else %}
    end as date) as {{ bound | name }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from days
