{# The combinations in a sample of the source; inputs: source, quasi_identifiers, rows; output: row_count, combinations #}
select
    coalesce(sum(row_count), 0) as row_count,
    count(*) as combinations
from (
    select count(*) as row_count
    from (
        select
            {% for q in quasi_identifiers %}
            {{ q.column | exact }} as {{ q.value | name }}{{ "," if not loop.last }}
            {% endfor %}
        from {{ source | name }} as source_row
        limit {{ rows | number }}
    ) as sample
    group by
        {% for q in quasi_identifiers %}
        {{ q.value | name }}{{ "," if not loop.last }}
        {% endfor %}
) as combinations
