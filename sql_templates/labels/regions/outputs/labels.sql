{#- Part of ranges: a range as text; inputs: cuts; reads cells, root, first_end, last_end, below_end; output: label -#}
case
    when cells.mixed = 1 then root.label
    when cells.first_code = cells.last_code then last_end.spelled
    when cells.last_code is not null then
        {% if cuts %}
        case when cells.below = 0 then '[' || first_end.spelled else '(' || below_end.spelled end || ',' || last_end.spelled || ']'
        {% else %}
        '[' || first_end.spelled || ',' || last_end.spelled || ']'
        {% endif %}
end as label,
