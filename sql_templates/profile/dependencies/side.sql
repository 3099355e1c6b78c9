{#- Part of pair: the values of one column of a pair in a sample; inputs: sample, known, kept (names), side (known or kept), person (whether persons are counted); output: row_count, distinct_values, largest, shared_rows, shared_values, most_frequent -#}
select
    sum(row_count) as row_count,
    count(*) as distinct_values,
    max(row_count) as largest,
    sum(case when row_count > 1 then row_count else 0 end) as shared_rows,
    sum(case when row_count > 1 then 1 else 0 end) as shared_values,
    sum(case when row_count > 1 then most_frequent else 0 end) as most_frequent
from (
    select
        sum(row_count) as row_count,
        max(row_count) as most_frequent
    from (
        select
            {{ known | name }} as known,
            {{ kept | name }} as kept,
            {% if person %}
            count(distinct person) as row_count
            {% else %}
            count(*) as row_count
            {% endif %}
        from {{ sample | name }}
        group by
            {{ known | name }},
            {{ kept | name }}
    ) as counted
    group by {{ side | name }}
) as grouped
