{# Verdicts on nodes; inputs: frequencies, nodes (each a list of packed keys), models; output: node, classes, smallest_class, unique_rows, failing_rows #}
{% for keys in nodes %}
select
    {{ loop.index0 | number }} as node,
    count(*) as classes,
    min(class_size) as smallest_class,
    sum(case when class_size = 1 then 1 else 0 end) as unique_rows,
    sum(case
        {% for model in models %}
        when {% include model.template %} then class_size
        {% endfor %}
        else 0
    end) as failing_rows
from (
    select sum(row_count) as class_size
    from {{ frequencies | name }}
    {% if keys %}
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }}{{ "," if not loop.last }}
        {% endfor %}
    {% endif %}
) as classes
{{ "union all" if not loop.last }}
{% endfor %}
