{# Statistics of a sample of the source; inputs: source, columns, rows; output: row_count, and per column: values, distinct values, shortest, longest (text), smallest, largest (numbers) #}
select
    count(*) as row_count{{ "," if columns }}
    {% for column in columns %}
    count({{ "c" | numbered(loop.index) }}),
    count(distinct {{ "c" | numbered(loop.index) }}),
    {% if column.kind == "text" %}
    min(length({{ "c" | numbered(loop.index) }})),
    max(length({{ "c" | numbered(loop.index) }})),
    {% else %}
    null,
    null,
    {% endif %}
    {% if column.kind in ("integer", "decimal", "single", "float") %}
    min({{ "c" | numbered(loop.index) }}),
    max({{ "c" | numbered(loop.index) }}){{ "," if not loop.last }}
    {% else %}
    null,
    null{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from (
    select
        {% for column in columns %}
        {{ column | exact }} as {{ "c" | numbered(loop.index) }},
        {% endfor %}
        1 as sampled
    from {{ source | name }} as source_row
    limit {{ rows | number }}
) as sample
