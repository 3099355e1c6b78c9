{# Every code with its branch at each level and the parent branch, and the shares of both in the source; inputs: hierarchy, reference, height; output: level (of the parent), code, child, parent, child_share, parent_share #}
select
    level,
    code,
    child,
    parent,
    sum(share) over (partition by level, child) as child_share,
    sum(share) over (partition by level, parent) as parent_share
from (
    {% for level in range(1, height + 1) %}
    select
        {{ level | number }} as level,
        leaf.part_0 as code,
        leaf.{{ "part" | numbered(level - 1) }} as child,
        leaf.{{ "part" | numbered(level) }} as parent,
        reference.share
    from {{ hierarchy | name }} as leaf
    join {{ reference | name }} as reference on reference.code = leaf.part_0
    {{ "union all" if not loop.last }}
    {% endfor %}
) as branches
