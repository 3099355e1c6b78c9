{#- Part of allowed_by_models: the possible cuts one of whose sides fails by its sensitive values or its persons; inputs: persons, measures, groups, and those of too_small and measured_classes; reads candidate_sides; output: region, dimension -#}
select
    key_1 as region,
    key_2 as dimension
from (
    {% if persons %}
    select
        key_1,
        key_2,
        key_3,
        {% for number in measures %}
        cast(null as double) as {{ "measure" | numbered(number) }},
        {% endfor %}
        0 as majority,
        persons,
        0 as class_size,
        {% include "judge/too_small.sql" %} as suppressed
    from (
        select
            key_1,
            key_2,
            key_3,
            count(distinct case when person > 0 then person end) as persons
        from candidate_sides
        group by key_1, key_2, key_3
    ) as sizes
    {{ "union all" if groups }}
    {% endif %}
    {% for group in groups %}
    {% include "judge/measured_classes.sql" %}
    {{ "union all" if not loop.last }}
    {% endfor %}
) as judged
group by
    key_1,
    key_2
having max(suppressed) > 0
