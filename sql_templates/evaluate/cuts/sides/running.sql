{#- Part of relaxed: the combinations of regions with the rows up to each, in the order of the cut's dimension, then of all others; inputs: as there; output: region, number, left_rows, right_rows, code_1 …, the codes, first_row, row_count, upto -#}
select
    region,
    number,
    left_rows,
    right_rows,
    {% include "evaluate/cuts/combination.sql" %}
    first_row,
    row_count,
    cast(sum(row_count) over (
        partition by region
        order by
            cut_code nulls first,
            {% for d in dimensions %}
            {{ "code" | numbered(d.number) }} nulls first,
            {% endfor %}
            {% for code in codes %}
            {{ code | name }} nulls first,
            {% endfor %}
            first_row nulls first
    ) as bigint) as upto
from (
    select
        combination.region,
        cut.number,
        cut.left_rows,
        cut.right_rows,
        {% for d in dimensions %}
        combination.{{ "code" | numbered(d.number) }},
        {% endfor %}
        {% for code in codes %}
        combination.{{ code | name }},
        {% endfor %}
        combination.first_row,
        combination.row_count,
        case
            {% for d in dimensions %}
            when cut.dimension = {{ d.number | number }} then {{ "code" | numbered(d.number) }}
            {% endfor %}
        end as cut_code
    from {{ regions | name }} as combination
    left join {{ cuts | name }} as cut on cut.region = combination.region
) as coded
