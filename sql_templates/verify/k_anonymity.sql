{# A recount of a table by its published quasi-identifiers, byte for byte; inputs: table, quasi_identifiers, size_models (models); output: row_count, classes, smallest_class, failing_classes, failing_rows #}
select
    coalesce(sum(class_size), 0) as row_count,
    count(*) as classes,
    min(class_size) as smallest_class,
    coalesce(sum(failing), 0) as failing_classes,
    coalesce(sum(failing * class_size), 0) as failing_rows
from (
    select
        class_size,
        {% include "judge/too_small.sql" %} as failing
    from (
        select count(*) as class_size
        from {{ table | name }}
        group by
            {% for column in quasi_identifiers %}
            {{ column | exact }}{{ "," if not loop.last }}
            {% endfor %}
    ) as sizes
) as classes
