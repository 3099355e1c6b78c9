{#- Part of closed_regions and next_regions: which side of its region's cut a combination is on, if there is one; inputs: regions, cuts, dimensions, codes; output: region, number, side, side_rows, code_1 …, the codes, row_count -#}
select
    placed.region,
    cut.number,
    case
        {% for d in dimensions %}
        when cut.dimension = {{ d.number | number }} and {{ "code" | numbered(d.number) }} <= cut.split then 0
        {% endfor %}
        else 1
    end as side,
    cut.left_rows,
    cut.right_rows,
    {% for d in dimensions %}
    placed.{{ "code" | numbered(d.number) }},
    {% endfor %}
    {% for code in codes %}
    placed.{{ code | name }},
    {% endfor %}
    placed.row_count
from {{ regions | name }} as placed
