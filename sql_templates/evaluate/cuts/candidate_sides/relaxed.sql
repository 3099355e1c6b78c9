{#- Part of allowed_by_models: the sides of each possible cut that a combination would be on, which may be both; inputs: regions, dimensions, codes; reads allowed_by_size; output: key_1 (region), key_2 (dimension), key_3 (side), the codes, row_count -#}
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
            combination.region as key_1,
            cut.dimension as key_2,
            cut.left_rows,
            {% for code in codes %}
            combination.{{ code | name }},
            {% endfor %}
            combination.row_count,
            cast(sum(combination.row_count) over (
                partition by combination.region, cut.dimension
                order by
                    case
                        {% for d in dimensions %}
                        when cut.dimension = {{ d.number | number }} then combination.{{ "code" | numbered(d.number) }}
                        {% endfor %}
                    end nulls first,
                    {% for d in dimensions %}
                    combination.{{ "code" | numbered(d.number) }} nulls first,
                    {% endfor %}
                    {% for code in codes %}
                    combination.{{ code | name }} nulls first,
                    {% endfor %}
                    combination.first_row nulls first
            ) as bigint) as upto
        from {{ regions | name }} as combination
        join allowed_by_size as cut on cut.region = combination.region
    ) as running
) as parted
cross join (
    select 0 as side
    union all
    select 1 as side
) as both_sides
where case when side = 0 then left_part else row_count - left_part end > 0
