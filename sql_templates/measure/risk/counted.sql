{# Distinct combinations of columns, compared byte for byte; inputs: table, columns, size (name of the count); output: v_1 …, the count #}
select
    {% for column in columns %}
    {{ column | exact }} as {{ "v" | numbered(loop.index) }},
    {% endfor %}
    count(*) as {{ size | name }}
from {{ table | name }}
group by
    {% for column in columns %}
    {{ column | exact }}{{ "," if not loop.last }}
    {% endfor %}
