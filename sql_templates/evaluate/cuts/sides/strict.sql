{#- The combinations of regions, each on one side of the cut of its region; inputs: regions, cuts, with_uncut (whether regions without a cut are included, with a null number), dimensions, codes; output: region, number, side (0 left, 1 right), left_rows, right_rows, code_1 …, the codes, row_count -#}
select
    combination.region,
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
    combination.{{ "code" | numbered(d.number) }},
    {% endfor %}
    {% for code in codes %}
    combination.{{ code | name }},
    {% endfor %}
    combination.row_count
from {{ regions | name }} as combination
{% if with_uncut %}
left
{% endif %}
join {{ cuts | name }} as cut on cut.region = combination.region
