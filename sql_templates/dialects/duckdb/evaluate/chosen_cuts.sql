{# The same cuts; where nearly every combination is of one row, medians are found without counting and sorting values; inputs and output as in chosen_cuts #}
{% extends "evaluate/chosen_cuts.sql" %}
{% block medians %}
{% if few_repeats %}
splits as (
    select
        region,
        quantile_disc(code, 0.5) as split
    from (
        select
            region,
            code
        from along
        union all
        select
            region,
            unnest(list_resize([code], row_count - 1, code)) as code
        from along
        where row_count > 1
    ) as each_row
    group by region
),
medians as (
    select
        along.region,
        min(along.dimension) as dimension,
        min(along.code) as low,
        max(along.code) as high,
        min(along.code) as lowest,
        min(splits.split) as split,
        {% if relaxed %}
        cast(sum(along.row_count) - sum(along.row_count) // 2 as bigint) as left_rows,
        {% else %}
        cast(sum(case when along.code <= splits.split then along.row_count else 0 end) as bigint) as left_rows,
        {% endif %}
        cast(sum(along.row_count) as bigint) as total
    from along
    join splits on splits.region = along.region
    group by along.region
)
{% else %}
{% include "evaluate/chosen_medians.sql" %}
{% endif %}
{% endblock %}
