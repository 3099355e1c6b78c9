{#- Part of allowed_by_models: the side of each possible cut that a combination would be on; inputs: regions, dimensions, codes; reads allowed_by_size; output: key_1 (region), key_2 (dimension), key_3 (side), the codes, row_count -#}
select
    combination.region as key_1,
    cut.dimension as key_2,
    case
        {% for d in dimensions %}
        when cut.dimension = {{ d.number | number }} and combination.{{ "code" | numbered(d.number) }} <= cut.split then 0
        {% endfor %}
        else 1
    end as key_3,
    {% for code in codes %}
    combination.{{ code | name }},
    {% endfor %}
    combination.row_count
from {{ regions | name }} as combination
join allowed_by_size as cut on cut.region = combination.region
