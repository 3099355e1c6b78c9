{# Values without a label under the rules for numbers and dates; inputs: sample, columns (number, kind); output: number, misfits #}
{% for c in columns %}
select
    {{ c.number | number }} as number,
    {% if c.kind in ("date", "timestamp") %}
    coalesce(sum(case
        when not isfinite({{ "c" | numbered(c.number) }}) or extract(year from {{ "c" | numbered(c.number) }}) not between 0 and 9999 then 1
        else 0
    end), 0) as misfits
    from {{ sample | name }}
    {% else %}
    0 as misfits
    {% endif %}
{{ "union all" if not loop.last }}
{% endfor %}
