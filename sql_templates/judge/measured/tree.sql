{#- How far the values of classes lie from the table's, in steps up their tree: what one branch has too much must leave it as far up as it finds a branch with too little; inputs and output as in values; needs j.values.tree (level, code, child, parent, child_share, parent_share) -#}
select
    {% for key in range(1, key_count + 1) %}
    {{ "key" | numbered(key) }},
    {% endfor %}
    {% for m in j.models %}
    {% include m.model.measure %} as {{ "measure" | numbered(m.number) }},
    {% if m.doomed %}
    {% include m.doomed %} as {{ "doomed" | numbered(m.number) }},
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
                {% include valued %}
            ) as valued
        ) as weighed
        join {{ j.values.tree | name }} as tree on tree.code = weighed.value
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
