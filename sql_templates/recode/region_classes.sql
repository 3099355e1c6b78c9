{# The class of each region; regions with equal labels are one class; inputs: spans, labels (number, table); output: region, class, class_size, span_1 …; left joins prevent engines from starting with the small tables #}
select
    spans.region,
    dense_rank() over (
        order by
            {% for l in labels %}
            {{ "l" | numbered(l.number) }}.part{{ "," if not loop.last }}
            {% endfor %}
    ) as class,
    {% for l in labels %}
    spans.{{ "span" | numbered(l.number) }},
    {% endfor %}
    spans.class_size
from {{ spans | name }} as spans
{% for l in labels %}
left join {{ l.table | name }} as {{ "l" | numbered(l.number) }} on {{ "l" | numbered(l.number) }}.span = spans.{{ "span" | numbered(l.number) }}
{% endfor %}
