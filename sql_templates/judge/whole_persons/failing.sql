{# Persons with a row in a suppressed class; inputs: classes, person_table, keys (the parts that add up to each key); output: person #}
select distinct rows_of.person
from {{ person_table | name }} as rows_of
join {{ classes | name }} as class
    on class.suppressed = 1
    {% for parts in keys %}
    and class.{{ "key" | numbered(loop.index) }} = {% for part in parts %}{{ "+ " if not loop.first }}rows_of.{{ part | name }}{% endfor %}
    {% endfor %}
where rows_of.person > 0
