{# Classes with their size in the population, which is at least their size in the table; inputs: classes, population, width; output: v_1 …, class_size, population_size, is_smaller (1 if the population has fewer rows) #}
select
    {% for position in range(1, width + 1) %}
    {{ "v" | numbered(position) }},
    {% endfor %}
    class_size,
    greatest(class_size, population_rows) as population_size,
    case when population_rows < class_size then 1 else 0 end as is_smaller
from (
    select
        {% for position in range(1, width + 1) %}
        {{ "v" | numbered(position) }},
        {% endfor %}
        sum(class_size) as class_size,
        sum(population_rows) as population_rows
    from (
        select
            {% for position in range(1, width + 1) %}
            {{ "v" | numbered(position) }},
            {% endfor %}
            class_size,
            0 as population_rows
        from {{ classes | name }}
        union all
        select
            {% for position in range(1, width + 1) %}
            {{ "v" | numbered(position) }},
            {% endfor %}
            0 as class_size,
            row_count as population_rows
        from {{ population | name }}
    ) as both_tables
    group by
        {% for position in range(1, width + 1) %}
        {{ "v" | numbered(position) }}{{ "," if not loop.last }}
        {% endfor %}
) as matched
where class_size > 0
