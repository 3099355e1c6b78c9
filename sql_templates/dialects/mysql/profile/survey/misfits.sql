{# As misfits: every date and number of MariaDB has a label; inputs and output: as there #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    0 as misfits
{{ "union all" if not loop.last }}
{% endfor %}
