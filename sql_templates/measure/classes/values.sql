{# Metrics of the published classes; inputs: classes, metrics (name, template), rows, k, suppressed; output: one column per metric #}
select
    {% for metric in metrics %}
    {% include metric.template %} as {{ metric.name | name }}{{ "," if not loop.last }}
    {% endfor %}
from {{ classes | name }} as class
