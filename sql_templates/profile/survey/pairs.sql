{# Rows that two columns together identify; inputs: sample, pairs (numbers); output: first_column, second_column, classes, unique_rows #}
{% for first, second in pairs %}
select
    {{ first | number }} as first_column,
    {{ second | number }} as second_column,
    count(*) as classes,
    coalesce(sum(case when class_size = 1 then 1 else 0 end), 0) as unique_rows
from (
    select count(*) as class_size
    from {{ sample | name }}
    group by {{ "c" | numbered(first) }}, {{ "c" | numbered(second) }}
) as classes
{{ "union all" if not loop.last }}
{% endfor %}
