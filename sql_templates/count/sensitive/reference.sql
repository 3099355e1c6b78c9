{# The distribution of the codes of a sensitive value in the source; inputs: combinations, column (with the codes), persons (whether each person counts once per code); output: code, row_count, share, cumulated (shares up to the code), rank, before (sum of all cumulated shares below it) #}
select
    code,
    row_count,
    share,
    cumulated,
    rank,
    cast(coalesce(sum(cumulated) over (order by rank nulls first rows between unbounded preceding and 1 preceding), 0) as double) as before
from (
    select
        code,
        row_count,
        cast(row_count as double) / sum(row_count) over () as share,
        cast(sum(row_count) over (order by code nulls first) as double) / sum(row_count) over () as cumulated,
        row_number() over (order by code nulls first) as rank
    from (
        select
            {{ column | name }} as code,
            {% if persons %}
            cast(count(distinct person) as bigint) as row_count
            {% else %}
            cast(sum(row_count) as bigint) as row_count
            {% endif %}
        from {{ combinations | name }}
        {% if persons %}
        where person > 0
        {% endif %}
        group by {{ column | name }}
    ) as counted
) as ranked
