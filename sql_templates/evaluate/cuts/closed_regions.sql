{# The combinations of regions that cannot be cut (again), under region numbers that stay; inputs: regions, cuts, dimensions, keys (each a list of dimensions), codes, relaxed, least_rows (0: sides of any size go on), base (added to this round's numbers), next_base (to those of the sides); output: region, key_1 …, first_row, the codes, row_count #}
select
    {% if least_rows %}
    cast(case when number is null then {{ base | number }} + region else {{ next_base | number }} + 2 * number + side end as bigint) as region,
    {% else %}
    cast({{ base | number }} + region as bigint) as region,
    {% endif %}
    {% for key in keys %}
    {% for d in key %}
    {{ "+ " if not loop.first }}cast({{ "code" | numbered(d.number) }} as bigint) * {{ d.stride | number }}
    {% endfor %}
    as {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% if relaxed %}
    first_row,
    {% endif %}
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    row_count
from (
    {% if relaxed %}
    {% include "evaluate/cuts/halves.sql" %}
    {% else %}
    {% include "evaluate/cuts/sides.sql" %}
    left join {{ cuts | name }} as cut on cut.region = placed.region
    {% endif %}
) as sides
where
    row_count > 0
    and (
        number is null
        {% if least_rows %}
        or case when side = 0 then left_rows else right_rows end < {{ least_rows | number }}
        {% endif %}
    )
