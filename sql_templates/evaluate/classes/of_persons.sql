{#- The classes of a node with the persons in each; inputs: person_table, keys (the parts that add up to each key), carried (column, level), sliced (part, divisor, remainder: only classes with this remainder; or none); output: key_1 …, part_1 … (of carried columns), persons, class_size -#}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for c, level in carried %}
    min({{ "part" | numbered(c.number) }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    sum(case when person > 0 then 1 else 0 end) as persons,
    cast(sum(person_rows) as bigint) as class_size
from (
    select
        {% for parts in keys %}
        {{ parts | names(" + ") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% for c, level in carried %}
        min({{ c.quasi_identifier.part(level) | name }}) as {{ "part" | numbered(c.number) }},
        {% endfor %}
        person,
        sum(row_count) as person_rows
    from {{ person_table | name }}
    {% if sliced %}
    where {{ sliced.part | name }} % {{ sliced.divisor | number }} = {{ sliced.remainder | number }}
    {% endif %}
    group by
        {% for parts in keys %}
        {{ parts | names(" + ") }},
        {% endfor %}
        person
) as by_person
{% if keys %}
group by
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endfor %}
{% endif %}
