{# Classes in two parts: rows of published persons, and rows of suppressed persons as suppressed; inputs: classes (of published persons), person_table (of all persons), kept (value, code of published persons), keys (the parts that add up to each key), carried (column, level), measures, has_label; output: that of recode/classes #}
select
    {% for parts in keys %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for number in measures %}
    {{ "measure" | numbered(number) }},
    {% endfor %}
    {% for c, level in carried %}
    {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if has_label %}
    majority,
    {% endif %}
    persons,
    class_size,
    suppressed
from {{ classes | name }}
where class_size > 0
union all
select
    {% for parts in keys %}
    {% for part in parts %}{{ "+ " if not loop.first }}rows_of.{{ part | name }}{% endfor %} as {{ "key" | numbered(loop.index) }},
    {% endfor %}
    {% for number in measures %}
    cast(null as double) as {{ "measure" | numbered(number) }},
    {% endfor %}
    {% for c, level in carried %}
    min(rows_of.{{ c.quasi_identifier.part(level) | name }}) as {{ "part" | numbered(c.number) }},
    {% endfor %}
    {% if has_label %}
    0 as majority,
    {% endif %}
    0 as persons,
    cast(sum(rows_of.row_count) as bigint) as class_size,
    1 as suppressed
from {{ person_table | name }} as rows_of
left join {{ kept | name }} as kept on kept.code = rows_of.person
where rows_of.person > 0 and kept.code is null
{% if keys %}
group by
    {% for parts in keys %}
    {% for part in parts %}{{ "+ " if not loop.first }}rows_of.{{ part | name }}{% endfor %}{{ "," if not loop.last }}
    {% endfor %}
{% else %}
having count(*) > 0
{% endif %}
