{# The choices without those of whose rows more than half have the highest code: the median is that code, and a cut there leaves nothing on the right; inputs: choices (a table), listed (how many it has), top_rows (a table), tops (how many of them are counted there); output: region, choice_1 … #}
with kept as (
    select
        choices.region,
        {% for place in range(1, listed + 1) %}
        {% if place <= tops %}
        case when 2 * counted.{{ "rows" | numbered(place) }} <= choices.row_count then choices.{{ "choice" | numbered(place) }} end as {{ "choice" | numbered(place) }}{{ "," if not loop.last }}
        {% else %}
        choices.{{ "choice" | numbered(place) }}{{ "," if not loop.last }}
        {% endif %}
        {% endfor %}
    from {{ choices | name }} as choices
    join {{ top_rows | name }} as counted on counted.region = choices.region
),
ranks as (
    select
        kept.*,
        {% for place in range(1, listed + 1) %}
        {% for earlier in range(1, place + 1) %}
        {{ "+ " if not loop.first }}case when {{ "choice" | numbered(earlier) }} is not null then 1 else 0 end
        {% endfor %}
        as {{ "rank" | numbered(place) }}{{ "," if not loop.last }}
        {% endfor %}
    from kept
)
select
    region,
    {% for place in range(1, listed + 1) %}
    case
        {% for later in range(place, listed + 1) %}
        when {{ "rank" | numbered(later) }} = {{ place | number }} then {{ "choice" | numbered(later) }}
        {% endfor %}
    end as {{ "choice" | numbered(place) }}{{ "," if not loop.last }}
    {% endfor %}
from ranks
