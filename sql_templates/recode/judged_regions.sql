{# The classes of a partition, evaluated by their sizes, values and persons; inputs: regions, region_classes, size_models, groups, measures, persons, counted; output: class, measure_1 …, majority (of the label), persons, suppressed #}
select
    key_1 as class,
    {% for number in measures %}
    max({{ "measure" | numbered(number) }}) as {{ "measure" | numbered(number) }},
    {% endfor %}
    max(majority) as majority,
    {% if persons %}
    max(persons) as persons,
    {% endif %}
    max(suppressed) as suppressed
from (
    select
        key_1,
        {% for number in measures %}
        cast(null as double) as {{ "measure" | numbered(number) }},
        {% endfor %}
        0 as majority,
        {% if persons %}
        persons,
        {% endif %}
        0 as class_size,
        {% include "judge/too_small.sql" %} as suppressed
    from (
        select
            region_classes.class as key_1,
            {% if persons %}
            count(distinct case when regions.person > 0 then regions.person end) as persons
            {% else %}
            sum(regions.row_count) as class_size
            {% endif %}
        from {{ regions | name }} as regions
        join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
        group by region_classes.class
    ) as sizes
    {% for group in groups %}
    union all
    {% include "judge/measured_classes.sql" %}
    {% endfor %}
) as judged
group by key_1
