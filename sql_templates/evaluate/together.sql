{# Several queries of one template in one statement; inputs: selects (already in the dialect); output: that of the template #}
{% for select in selects %}
{{ select }}
{{ "union all" if not loop.last }}
{% endfor %}
