{#- How far the sensitive values of classes are from those of the table, in steps up their hierarchy: the surplus of a branch moves up until it meets a branch with a deficit; inputs and output: as in values, and group.values.tree (level, code, child, parent, child_share, parent_share); largest is 0 -#}
select
    {% for key in range(1, key_count + 1) %}
    {{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in group.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.failing_below %}
    {% include m.failing_below %} as {{ "failing_below" | numbered(m.number) }},
    {% endif %}
    {% endfor %}
    0 as largest
from (
    select
        {% for key in range(1, key_count + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        level,
        parent,
        sum(case when share > child_share then share - child_share else 0.0 end) as surplus,
        sum(share) - max(parent_share) as balance
    from (
        select
            {% for key in range(1, key_count + 1) %}
            {{ "key" | numbered(key) }},
            {% endfor %}
            tree.level,
            tree.parent,
            tree.child,
            cast(sum(weighed.value_rows) as double) / max(weighed.size) as share,
            max(tree.child_share) as child_share,
            max(tree.parent_share) as parent_share
        from (
            select
                {% for key in range(1, key_count + 1) %}
                {{ "key" | numbered(key) }},
                {% endfor %}
                value,
                value_rows,
                cast(sum(value_rows) over ({% include "judge/measured/by_class.sql" %}) as bigint) as size
            from (
                {% include values_template %}
            ) as valued
        ) as weighed
        join {{ group.values.tree | name }} as tree on tree.code = weighed.value
        group by
            {% for key in range(1, key_count + 1) %}
            {{ "key" | numbered(key) }},
            {% endfor %}
            tree.level,
            tree.parent,
            tree.child
    ) as children
    group by
        {% for key in range(1, key_count + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        level,
        parent
) as parents
{% if key_count %}
group by
    {% for key in range(1, key_count + 1) %}
    {{ "key" | numbered(key) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
