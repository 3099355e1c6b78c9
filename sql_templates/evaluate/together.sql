{# Several queries of one template as one statement; inputs: selects (already spelled); output: theirs #}
{% for select in selects %}
{{ select }}
{{ "union all" if not loop.last }}
{% endfor %}
