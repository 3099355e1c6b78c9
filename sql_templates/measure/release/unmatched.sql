{# Labels that are not in the hierarchy, to be parsed as ranges and sets; inputs: labels, matched; output: span, label #}
select
    labels.span,
    labels.label
from {{ labels | name }} as labels
left join {{ matched | name }} as matched on matched.span = labels.span
where matched.span is null and labels.label is not null
