{# The listed leaves in their order, then the unlisted values; inputs: leaves, file (value, position, listed, label_1 …), height, has_root, root_template (query of the root's label), unlisted_to_root, unlisted (the list position of unlisted values); output: value, position, listed, row_count, label_1 … #}
with root as (
    {% include root_template %}
)
select
    f.value,
    f.position,
    f.listed,
    {% for level in range(1, height + 1) %}
    {% if level == height and not has_root %}
    root.label as {{ "label" | numbered(level) }},
    {% else %}
    f.{{ "label" | numbered(level) }},
    {% endif %}
    {% endfor %}
    coalesce(leaf.row_count, 0) as row_count
from {{ file | name }} as f
cross join root
left join {{ leaves | name }} as leaf on leaf.value = f.value
union all
select
    leaf.value,
    leaf.position,
    {{ unlisted | number }} as listed,
    {% for level in range(1, height + 1) %}
    {% if level < height and not unlisted_to_root %}
    cast(null as varchar) as {{ "label" | numbered(level) }},
    {% elif level < height %}
    case when leaf.value is not null then root.label end as {{ "label" | numbered(level) }},
    {% elif not unlisted_to_root %}
    case when leaf.value is null then root.label end as {{ "label" | numbered(level) }},
    {% else %}
    root.label as {{ "label" | numbered(level) }},
    {% endif %}
    {% endfor %}
    leaf.row_count
from {{ leaves | name }} as leaf
cross join root
left join {{ file | name }} as f on f.value = leaf.value
where f.value is null
