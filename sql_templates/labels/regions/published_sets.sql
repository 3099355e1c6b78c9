{#- Part of sets: the label of each set; inputs: as in sets; reads gathered (span, listed_values, one_value, has_null, leaves, row_count, spread); output: domain, published -#}
domain as (
    select
        count(*) as leaves,
        0.0 as extent
    from {{ c.hierarchy_table | name }}
    where value is null or listed < {{ c.unlisted | number }}
),
published as (
    select
        gathered.span,
        case
            when gathered.leaves = 0 then null
            when gathered.has_null = 1 then root.label
            when gathered.leaves = 1 then gathered.one_value
            else '{' || gathered.listed_values || '}'
        end as label,
        case when gathered.has_null = 1 and gathered.leaves > 0 then 1 else 0 end as mixed,
        case when gathered.leaves = 0 or (gathered.leaves = 1 and gathered.has_null = 0) then 1 else 0 end as is_point,
        0.0 as extent,
        gathered.leaves,
        gathered.row_count,
        gathered.spread
    from gathered
    cross join (
        select label
        from {{ c.label_table | name }}
        where level = {{ c.height | number }} and part = {{ c.stride | number }}
    ) as root
)
