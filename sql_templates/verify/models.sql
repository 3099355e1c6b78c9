{# A recount of a table by its published quasi-identifiers, byte for byte, judged by sizes, values and persons; inputs: table, quasi_identifiers, size_models, groups, measures, measured_models (number, model), persons, person (its column); output: row_count, classes, smallest_class (in persons where they are counted), failing_classes, failing_rows, and per model of values the measure of the worst class, failing classes, failing rows #}
select
    coalesce(sum(class_size), 0) as row_count,
    count(*) as classes,
    min({{ counted | name }}) as smallest_class,
    coalesce(sum(suppressed), 0) as failing_classes,
    coalesce(sum(suppressed * class_size), 0) as failing_rows
    {% for m in measured_models %}
    {% if m.model.bound == "at_least" %}
    , min({{ "measure" | numbered(m.number) }}) as {{ "worst" | numbered(m.number) }}
    {% else %}
    , max({{ "measure" | numbered(m.number) }}) as {{ "worst" | numbered(m.number) }}
    {% endif %}
    , coalesce(sum(case when {% include "judge/fails.sql" %} then 1 else 0 end), 0) as {{ "failing" | numbered(m.number) }}
    , coalesce(sum(case when {% include "judge/fails.sql" %} then class_size else 0 end), 0) as {{ "failing_rows" | numbered(m.number) }}
    {% endfor %}
from (
    select
        {% for number in measures %}
        max({{ "measure" | numbered(number) }}) as {{ "measure" | numbered(number) }},
        {% endfor %}
        {% if persons %}
        max(persons) as persons,
        {% endif %}
        cast(sum(class_size) as bigint) as class_size,
        max(suppressed) as suppressed
    from (
        select
            {% for column in quasi_identifiers %}
            {{ "key" | numbered(loop.index) }},
            {% endfor %}
            {% for number in measures %}
            cast(null as double) as {{ "measure" | numbered(number) }},
            {% endfor %}
            0 as majority,
            {% if persons %}
            persons,
            {% endif %}
            class_size,
            {% include "judge/too_small.sql" %} as suppressed
        from (
            select
                {% for column in quasi_identifiers %}
                {{ column | exact }} as {{ "key" | numbered(loop.index) }},
                {% endfor %}
                {% if persons %}
                count(distinct {{ person | exact }}) as persons,
                {% endif %}
                count(*) as class_size
            from {{ table | name }}
            group by
                {% for column in quasi_identifiers %}
                {{ column | exact }}{{ "," if not loop.last }}
                {% endfor %}
        ) as sizes
        {% for group in groups %}
        union all
        {% include "judge/measured_classes.sql" %}
        {% endfor %}
    ) as judged
    group by
        {% for column in quasi_identifiers %}
        {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
        {% endfor %}
) as classes
