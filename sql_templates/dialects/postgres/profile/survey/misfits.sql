{# As misfits: numerics of PostgreSQL may also be infinite; inputs and output: as there #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    {% if c.kind in ("date", "timestamp") %}
    coalesce(sum(case
        when not isfinite({{ "c" | numbered(c.number) }}) or extract(year from {{ "c" | numbered(c.number) }}) not between 0 and 9999 then 1
        else 0
    end), 0) as misfits
    from {{ sample | name }}
    {% elif c.kind == "decimal" %}
    coalesce(sum(case when {{ "c" | numbered(c.number) }}::text in ('NaN', 'Infinity', '-Infinity') then 1 else 0 end), 0) as misfits
    from {{ sample | name }}
    {% else %}
    0 as misfits
    {% endif %}
{{ "union all" if not loop.last }}
{% endfor %}
