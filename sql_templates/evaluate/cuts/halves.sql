{#- Part of closed_regions and next_regions: each region's rows halved in the order of the cut's dimension, then of all others; a combination may be on both sides; inputs: regions, cuts, dimensions, codes; output: region, number, side, left_rows, right_rows, code_1 …, the codes, first_row, row_count -#}
select
    region,
    number,
    side,
    left_rows,
    right_rows,
    {% for d in dimensions %}
    {{ "code" | numbered(d.number) }},
    {% endfor %}
    {% for code in codes %}
    {{ code | name }},
    {% endfor %}
    case when side = 0 then first_row else first_row + left_part end as first_row,
    case when side = 0 then left_part else row_count - left_part end as row_count
from (
    select
        region,
        number,
        left_rows,
        right_rows,
        {% for d in dimensions %}
        {{ "code" | numbered(d.number) }},
        {% endfor %}
        {% for code in codes %}
        {{ code | name }},
        {% endfor %}
        first_row,
        row_count,
        case
            when number is null or upto <= left_rows then row_count
            when upto - row_count >= left_rows then 0
            else left_rows - (upto - row_count)
        end as left_part
    from (
        select
            region,
            number,
            left_rows,
            right_rows,
            {% for d in dimensions %}
            {{ "code" | numbered(d.number) }},
            {% endfor %}
            {% for code in codes %}
            {{ code | name }},
            {% endfor %}
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
                placed.region,
                cut.number,
                cut.left_rows,
                cut.right_rows,
                {% for d in dimensions %}
                placed.{{ "code" | numbered(d.number) }},
                {% endfor %}
                {% for code in codes %}
                placed.{{ code | name }},
                {% endfor %}
                placed.first_row,
                placed.row_count,
                case
                    {% for d in dimensions %}
                    when cut.dimension = {{ d.number | number }} then {{ "code" | numbered(d.number) }}
                    {% endfor %}
                end as cut_code
            from {{ regions | name }} as placed
            left join {{ cuts | name }} as cut on cut.region = placed.region
        ) as coded
    ) as running
) as parted
cross join (
    select 0 as side
    union all
    select 1 as side
) as both_sides
where (number is not null or side = 0) and case when side = 0 then left_part else row_count - left_part end > 0
