{# How far two columns of a sample determine each other, in rows or persons; inputs: sample, number, known, kept (names), person (whether persons are counted); output: number, row_count, then for known and for kept: distinct values, rows of the most frequent value, rows that share their value, the values they share, those of them with the most frequent value of the other column #}
select
    {{ number | number }} as number,
    sum(row_count) as row_count,
    {% for side in ["known", "kept"] %}
    sum(case when {{ side | numbered(2) }} = 1 then 1 else 0 end) as {{ side | numbered(3) }},
    max({{ side | numbered(1) }}) as {{ side | numbered(4) }},
    sum(case when {{ side | numbered(1) }} > 1 then row_count else 0 end) as {{ side | numbered(5) }},
    sum(case when {{ side | numbered(1) }} > 1 and {{ side | numbered(2) }} = 1 then 1 else 0 end) as {{ side | numbered(6) }},
    sum(case
        when {{ side | numbered(1) }} > 1 and {{ side | numbered(2) }} = 1 then row_count
        else 0
    end) as {{ side | numbered(7) }}{{ "," if not loop.last }}
    {% endfor %}
from (
    select
        row_count,
        sum(row_count) over (partition by known) as known_1,
        row_number() over (partition by known order by row_count desc) as known_2,
        sum(row_count) over (partition by kept) as kept_1,
        row_number() over (partition by kept order by row_count desc) as kept_2
    from (
        select
            known,
            kept,
            {% if person %}
            count(distinct person) as row_count
            {% else %}
            count(*) as row_count
            {% endif %}
        from (
            select
                {{ known | name }} as known,
                {{ kept | name }} as kept{{ "," if person }}
                {% if person %}
                person
                {% endif %}
            from {{ sample | name }}
        ) as sampled
        group by known, kept
    ) as counted
) as placed
