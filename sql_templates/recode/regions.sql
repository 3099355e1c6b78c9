{# The classes of a partition with what is published for them; inputs: region_classes, labels (number, table, published: names of columns there and here), models, majorities (of the label, or none); output: class, class_size, suppressed, unlabelled, span_1 …, label_1 or value_1 or low_1, high_1 …, majority #}
select
    class.class,
    {% for l in labels %}
    class.{{ "span" | numbered(l.number) }},
    {% for name, published in l.published %}
    {{ "l" | numbered(l.number) }}.{{ name | name }} as {{ published | name }},
    {% endfor %}
    {% endfor %}
    {% if majorities %}
    majorities.majority,
    {% endif %}
    0 as unlabelled,
    class.class_size,
    case
        {% for model in models %}
        when {% include model.template %} then 1
        {% endfor %}
        else 0
    end as suppressed
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
{% if majorities %}
join {{ majorities | name }} as majorities on majorities.class = class.class
{% endif %}
