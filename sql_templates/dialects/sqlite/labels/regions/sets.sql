{# SQLite orders aggregates only in windows; inputs and output: as in the common template #}
with members as (
    {% include ["dialects/sqlite/" ~ c.members_template, c.members_template] %}
),
running as (
    select
        span,
        code,
        is_null,
        group_concat(spelled, ',') over (partition by span order by code rows between unbounded preceding and unbounded following) as listed_values,
        spelled,
        row_count,
        spread
    from members
),
gathered as (
    select
        span,
        max(listed_values) as listed_values,
        max(spelled) as one_value,
        max(is_null) as has_null,
        sum(case when code > 0 then 1 else 0 end) as leaves,
        sum(row_count) as row_count,
        sum(spread) as spread
    from running
    group by span
),
{% include "labels/regions/published_sets.sql" %}
{% include "labels/regions/losses.sql" %}
