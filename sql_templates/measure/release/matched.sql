{# The label of each cell: on the common level, or on the lowest level of its candidates; inputs: candidates, level (or none); output: span, level, part #}
select
    candidates.span,
    candidates.level,
    min(candidates.part) as part
from {{ candidates | name }} as candidates
{% if level is none %}
join (
    select
        span,
        min(level) as level
    from {{ candidates | name }}
    group by span
) as lowest on lowest.span = candidates.span and lowest.level = candidates.level
{% else %}
where candidates.level = {{ level | number }}
{% endif %}
group by candidates.span, candidates.level
