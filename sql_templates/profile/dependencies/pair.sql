{# How far two columns of a sample determine each other, in rows or persons; inputs: sample, number, known, kept (names), person (whether persons are counted); output: number, row_count, then for known and for kept: distinct values, rows of the most frequent value, rows that share their value, the values they share, those of them with the most frequent value of the other column #}
select
    {{ number | number }} as number,
    of_known.row_count,
    of_known.distinct_values as known_1,
    of_known.largest as known_2,
    of_known.shared_rows as known_3,
    of_known.shared_values as known_4,
    of_known.most_frequent as known_5,
    of_kept.distinct_values as kept_1,
    of_kept.largest as kept_2,
    of_kept.shared_rows as kept_3,
    of_kept.shared_values as kept_4,
    of_kept.most_frequent as kept_5
from (
    {% set side = "known" %}
    {% include "profile/dependencies/side.sql" %}

) as of_known
cross join (
    {% set side = "kept" %}
    {% include "profile/dependencies/side.sql" %}

) as of_kept
