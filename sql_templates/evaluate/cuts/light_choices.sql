{# The choices without dimensions along which more than half of the rows have the highest code: the median is that code, and a cut would leave no rows on the right; inputs: choices (a table), choice_count, top_rows (a table), top_count (choices counted there); output: region, choice_1 … #}
with kept as (
    select
        choices.region,
        {% for choice in range(1, choice_count + 1) %}
        {% if choice <= top_count %}
        case
            when 2 * counted.{{ "rows" | numbered(choice) }} <= choices.row_count then choices.{{ "choice" | numbered(choice) }}
        end as {{ "choice" | numbered(choice) }}{{ "," if not loop.last }}
        {% else %}
        choices.{{ "choice" | numbered(choice) }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from {{ choices | name }} as choices
    join {{ top_rows | name }} as counted on counted.region = choices.region
),
ranks as (
    select
        kept.*,
        {% for choice in range(1, choice_count + 1) %}
        {% for earlier in range(1, choice + 1) %}
        {{ "+ " if not loop.first }}case when {{ "choice" | numbered(earlier) }} is not null then 1 else 0 end
        {% endfor %}
        as {{ "rank" | numbered(choice) }}{{ "," if not loop.last }}
        {% endfor %}
    from kept
)
select
    region,
    {% for choice in range(1, choice_count + 1) %}
    case
        {% for later in range(choice, choice_count + 1) %}
        when {{ "rank" | numbered(later) }} = {{ choice | number }} then {{ "choice" | numbered(later) }}
        {% endfor %}
    end as {{ "choice" | numbered(choice) }}{{ "," if not loop.last }}
    {% endfor %}
from ranks
