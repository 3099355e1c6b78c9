{# Candidates that are possible: a label has no more rows in the release than in the source; inputs: candidates, labels, c (label_table); output: span, level, part #}
select
    candidates.span,
    candidates.level,
    candidates.part
from {{ candidates | name }} as candidates
join {{ labels | name }} as labels on labels.span = candidates.span
join {{ c.label_table | name }} as found on found.level = candidates.level and found.part = candidates.part
where labels.row_count <= found.row_count
