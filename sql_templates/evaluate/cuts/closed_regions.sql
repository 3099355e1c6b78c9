{# The combinations of regions that cannot be cut (again), under final region numbers; inputs: sides_template and its inputs, dimensions, keys (each a list of dimensions), codes, relaxed, least_rows (of a side that may be cut again; 0 means any), base (added to the numbers of this round), next_base (added to those of the sides); output: region, key_1 …, first_row, the codes, row_count #}
select
    {% if least_rows %}
    cast(case
        when number is null then {{ base | number }} + region
        else {{ next_base | number }} + 2 * number + side
    end as bigint) as region,
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
    {% include sides_template %}
) as sides
where
    row_count > 0
    and (
        number is null
        {% if least_rows %}
        or case when side = 0 then left_rows else right_rows end < {{ least_rows | number }}
        {% endif %}
    )
