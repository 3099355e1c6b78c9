{#- The hierarchy table from coded leaves; NULL has the code 0 at every level below the root; inputs: labelled, height, stride; reads coded (a leaf, first_1 …, code_0); output: value, position, listed, row_count, label_1 …, part_1 …, part_0 -#}
select
    {% include "count/hierarchy_table/leaf.sql" %}
    {% for level in range(1, height + 1) %}
    {% if level < height %}
    dense_rank() over (order by {{ "first" | numbered(level) }}) * {{ stride | number }} as {{ "part" | numbered(level) }},
    {% else %}
    {{ stride | number }} as {{ "part" | numbered(level) }},
    {% endif %}
    {% endfor %}
    code_0 * {{ stride | number }} as part_0
from coded
union all
select
    {% include "count/hierarchy_table/leaf.sql" %}
    {% for level in range(1, height + 1) %}
    {{ (stride if loop.last else 0) | number }} as {{ "part" | numbered(level) }},
    {% endfor %}
    0 as part_0
from {{ labelled | name }}
where value is null
