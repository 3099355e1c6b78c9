{# The code of each value of a sensitive column, 0 for NULL: the number of its bin; inputs: hierarchy, bins; output: value, code #}
select
    leaf.value,
    case
        when leaf.value is null then 0
        when leaf.position is null then {{ (bins + 1) | number }}
        when leaf.position >= domain.highest then {{ bins | number }}
        else cast(floor({{ bins | number }} * ((leaf.position - domain.lowest) / (domain.highest - domain.lowest))) as bigint) + 1
    end as code
from {{ hierarchy | name }} as leaf
cross join (
    select
        min(position) as lowest,
        max(position) as highest
    from {{ hierarchy | name }}
    where row_count > 0
) as domain
where leaf.row_count > 0
