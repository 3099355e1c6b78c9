{#- Part of allowed_cuts: which side of each cut a combination would be on, with how many rows; inputs: regions, dimensions, codes, relaxed; reads allowed_by_size; output: key_1 (region), key_2 (dimension), key_3 (side), the codes, row_count -#}
{% if relaxed %}
select
    key_1,
    key_2,
    side as key_3,
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    case when side = 0 then left_part else row_count - left_part end as row_count
from (
    select
        key_1,
        key_2,
        {% for code in codes %}
        {{ code | name }},
        {% endfor %}
        row_count,
        case
            when upto <= left_rows then row_count
            when upto - row_count >= left_rows then 0
            else left_rows - (upto - row_count)
        end as left_part
    from (
        select
            placed.region as key_1,
            cut.dimension as key_2,
            cut.left_rows,
            {% for code in codes %}
            placed.{{ code | name }},
            {% endfor %}
            placed.row_count,
            cast(sum(placed.row_count) over (
                partition by placed.region, cut.dimension
                order by
                    case
                        {% for d in dimensions %}
                        when cut.dimension = {{ d.number | number }} then placed.{{ "code" | numbered(d.number) }}
                        {% endfor %}
                    end nulls first,
                    {% for d in dimensions %}
                    placed.{{ "code" | numbered(d.number) }} nulls first,
                    {% endfor %}
                    {% for code in codes %}
                    placed.{{ code | name }} nulls first,
                    {% endfor %}
                    placed.first_row nulls first
            ) as bigint) as upto
        from {{ regions | name }} as placed
        join allowed_by_size as cut on cut.region = placed.region
    ) as running
) as parted
cross join (
    select 0 as side
    union all
    select 1 as side
) as both_sides
where case when side = 0 then left_part else row_count - left_part end > 0
{% else %}
select
    placed.region as key_1,
    cut.dimension as key_2,
    case
        {% for d in dimensions %}
        when cut.dimension = {{ d.number | number }} and placed.{{ "code" | numbered(d.number) }} <= cut.split then 0
        {% endfor %}
        else 1
    end as key_3,
    {% for code in codes %}
    placed.{{ code | name }},
    {% endfor %}
    placed.row_count
from {{ regions | name }} as placed
join allowed_by_size as cut on cut.region = placed.region
{% endif %}
