{# The classes of a partition with their labels; inputs: region_classes, labels (number, table, published: pairs of a column in the table and its name in the output), judged (the classes evaluated by values and persons, or none), size_models, measures, has_label; output: class, class_size, suppressed, unlabelled, span_1 …, label_1 or value_1 or low_1, high_1 …, majority, measure_1 … #}
select
    class.class,
    {% for l in labels %}
    class.{{ "span" | numbered(l.number) }},
    {% for name, published in l.published %}
    {{ "l" | numbered(l.number) }}.{{ name | name }} as {{ published | name }},
    {% endfor %}
    {% endfor %}
    {% if has_label %}
    judged.majority,
    {% endif %}
    {% for number in measures %}
    judged.{{ "measure" | numbered(number) }},
    {% endfor %}
    {% if persons %}
    judged.persons,
    {% endif %}
    0 as unlabelled,
    class.class_size,
    {% if judged %}
    judged.suppressed
    {% else %}
    {% include "judge/too_small.sql" %} as suppressed
    {% endif %}
from (
    select
        class,
        {% for l in labels %}
        min({{ "span" | numbered(l.number) }}) as {{ "span" | numbered(l.number) }},
        {% endfor %}
        cast(sum(class_size) as bigint) as class_size
    from {{ region_classes | name }}
    group by class
) as class
{% for l in labels %}
left join {{ l.table | name }} as {{ "l" | numbered(l.number) }} on {{ "l" | numbered(l.number) }}.span = class.{{ "span" | numbered(l.number) }}
{% endfor %}
{% if judged %}
join {{ judged | name }} as judged on judged.class = class.class
{% endif %}
