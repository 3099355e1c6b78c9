{# As misfits: columns of SQLite hold values of any type; inputs and output: as there #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    {% if c.kind == "integer" %}
    coalesce(sum(
        typeof({{ "c" | numbered(c.number) }}) not in ('integer', 'null')
        or abs({{ "c" | numbered(c.number) }} / 2) >= 4600000000000000000
    ), 0) as misfits
    from {{ sample | name }}
    {% elif c.kind == "float" %}
    coalesce(sum(typeof({{ "c" | numbered(c.number) }}) not in ('integer', 'real', 'null')), 0) as misfits
    from {{ sample | name }}
    {% elif c.kind in ("date", "timestamp") %}
    coalesce(sum(
        {{ "c" | numbered(c.number) }} is not null
        and coalesce(date(substr({{ "c" | numbered(c.number) }}, 1, 10), '+0 days') <> substr({{ "c" | numbered(c.number) }}, 1, 10), 1)
    ), 0) as misfits
    from {{ sample | name }}
    {% else %}
    0 as misfits
    {% endif %}
{{ "union all" if not loop.last }}
{% endfor %}
