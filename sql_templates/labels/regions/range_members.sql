{#- Part of sets: the leaves between the cuts that enclose each region; inputs: spans, c, cuts; output: span, code, is_null (1 if NULL is mixed with values), spelled, row_count (of the value in all rows), spread -#}
select
    cells.span,
    case when cells.mixed = 1 then 1 else leaf.part_0 end as code,
    cells.mixed as is_null,
    {% if c.column.kind == "boolean" %}
    case when leaf.value is null then null when leaf.value then 'true' else 'false' end as spelled,
    {% else %}
    leaf.value as spelled,
    {% endif %}
    coalesce(leaf.row_count, 0) as row_count,
    case when leaf.row_count > 0 then leaf.row_count * ln(cast(leaf.row_count as double)) else 0.0 end as spread
from (
    {% include c.cells_template %}
) as cells
left join {{ c.hierarchy_table | name }} as leaf
    on leaf.part_0 between cells.first_code * {{ c.stride | number }} and cells.last_code * {{ c.stride | number }}
