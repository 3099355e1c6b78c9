{# Every class with its rows in the population, not fewer than it has itself; inputs: classes, population, width; output: v_1 …, class_size, population_size, smaller_there (1 where the population has fewer) #}
select
    {% for place in range(1, width + 1) %}
    {{ "v" | numbered(place) }},
    {% endfor %}
    class_size,
    greatest(class_size, rows_there) as population_size,
    case when rows_there < class_size then 1 else 0 end as smaller_there
from (
    select
        {% for place in range(1, width + 1) %}
        {{ "v" | numbered(place) }},
        {% endfor %}
        sum(class_size) as class_size,
        sum(rows_there) as rows_there
    from (
        select
            {% for place in range(1, width + 1) %}
            {{ "v" | numbered(place) }},
            {% endfor %}
            class_size,
            0 as rows_there
        from {{ classes | name }}
        union all
        select
            {% for place in range(1, width + 1) %}
            {{ "v" | numbered(place) }},
            {% endfor %}
            0 as class_size,
            row_count as rows_there
        from {{ population | name }}
    ) as both_tables
    group by
        {% for place in range(1, width + 1) %}
        {{ "v" | numbered(place) }}{{ "," if not loop.last }}
        {% endfor %}
) as matched
where class_size > 0
