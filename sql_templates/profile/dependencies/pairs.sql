{# How far two columns of a sample determine each other, in rows or persons; inputs: sample, pairs (known, kept: names), person (whether persons are counted); output: number (of the pair), side (0 known, 1 kept), row_count, distinct values, rows of the most frequent value, rows that share their value, the values they share, those of them with the most frequent value of the other column #}
select
    number,
    side,
    sum(row_count) as row_count,
    count(*) as distinct_values,
    max(row_count) as largest,
    sum(case when row_count > 1 then row_count else 0 end) as shared_rows,
    sum(case when row_count > 1 then 1 else 0 end) as shared_values,
    sum(case when row_count > 1 then most_frequent else 0 end) as explained_rows
from (
    {% for pair in pairs %}
    {% set number = loop.index0 %}
    {% for side in ["known", "kept"] %}
    select
        {{ number | number }} as number,
        {{ loop.index0 | number }} as side,
        sum(row_count) as row_count,
        max(row_count) as most_frequent
    from (
        select
            {{ pair.known | name }} as known,
            {{ pair.kept | name }} as kept,
            {% if person %}
            count(distinct person) as row_count
            {% else %}
            count(*) as row_count
            {% endif %}
        from {{ sample | name }}
        group by
            {{ pair.known | name }},
            {{ pair.kept | name }}
    ) as counted
    group by {{ side | name }}
    {{ "union all" if not loop.last }}
    {% endfor %}
    {{ "union all" if not loop.last }}
    {% endfor %}
) as grouped
group by number, side
