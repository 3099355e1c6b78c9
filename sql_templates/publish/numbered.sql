{#- Part of release if combinations are split: the source's rows with the packed keys of their combination, numbered at random within it; inputs as in release; output: key_1 …, the codes, carried_1 …, number -#}
select
    {% for key in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for code in codes %}
    {{ code.name | name }},
    {% endfor %}
    {% for p in published if p.is_carried %}
    {{ "carried" | numbered(p.position) }},
    {% endfor %}
    row_number() over (
        {% if keys or codes %}
        partition by
            {% for key in keys %}
            {{ "key" | numbered(loop.index) }}{{ "," if codes or not loop.last }}
            {% endfor %}
            {% for code in codes %}
            {{ code.name | name }}{{ "," if not loop.last }}
            {% endfor %}
        {% endif %}
        order by shuffled nulls first
    ) as number
from (
    select
        {% include "publish/row_keys.sql" %}
        random() as shuffled
    {% include "publish/row_joins.sql" %}
) as shuffled_rows
