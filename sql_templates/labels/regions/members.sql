{#- Part of sets: the values of a category in each region; inputs: as in sets; output: span, code, is_null, spelled, row_count (of the value in all rows), spread -#}
select
    distinct_codes.region as span,
    distinct_codes.code,
    case when distinct_codes.code = 0 then 1 else 0 end as is_null,
    {% if c.column.kind == "boolean" %}
    case when leaf.value is null then null when leaf.value then 'true' else 'false' end as spelled,
    {% else %}
    leaf.value as spelled,
    {% endif %}
    leaf.row_count,
    case when leaf.row_count > 0 then leaf.row_count * ln(cast(leaf.row_count as double)) else 0.0 end as spread
from (
    select distinct
        region,
        {% if c.dimension %}
        ({{ "key" | numbered(c.dimension.key) }} // {{ c.dimension.stride | number }}) % {{ c.dimension.codes | number }} as code
        {% else %}
        1 as code
        {% endif %}
    from {{ regions | name }}
) as distinct_codes
join {{ c.hierarchy_table | name }} as leaf on leaf.part_0 = distinct_codes.code * {{ c.stride | number }}
