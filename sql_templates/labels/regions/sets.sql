{# The set of values of a category in each region, and the loss of such a cell; inputs: regions, spans, cuts (whether the set has all leaves between the cuts), c (number, dimension or none, column, label_table, hierarchy_table, height, stride, unlisted, published); output: span, part (one number per distinct set), label, loss, ncp, nllm, entropy, disclosed #}
with members as (
    {% include c.members_template %}
),
gathered as (
    select
        span,
        string_agg(spelled, ',' order by code) as listed_values,
        max(spelled) as one_value,
        max(is_null) as has_null,
        sum(case when code > 0 then 1 else 0 end) as leaves,
        cast(sum(row_count) as bigint) as row_count,
        sum(spread) as spread
    from members
    group by span
),
{% include "labels/regions/published_sets.sql" %}
{% include "labels/regions/losses.sql" %}
