{# Every date and number here has a label. Same inputs and output as the common template. #}
{% for c in columns %}
select {{ c.number | number }} as number, 0 as misfits
{{ "union all" if not loop.last }}
{% endfor %}
