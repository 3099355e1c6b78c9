{# As sample, but rows are drawn by a fixed sequence of random numbers, because numbering all rows is slow, and kept texts are hashed, because a row has no room for many long texts and they are only compared; inputs and output: as there #}
{% extends "profile/dependencies/sample.sql" %}
{% block sampled %}
select
    {% for c, levels in columns %}
    {% if c.column.kind == "text" %}
    cast({{ c.column.name | name }} as char) collate utf8mb4_nopad_bin as {{ c.quasi_identifier.value | name }},
    {% elif c.column.kind in ("single", "float") %}
    case when {{ c.column.name | name }} = 0 then 0.0 else {{ c.column.name | name }} end as {{ c.quasi_identifier.value | name }},
    {% else %}
    {{ c.column.name | name }} as {{ c.quasi_identifier.value | name }},
    {% endif %}
    {% endfor %}
    {% if entity and entity.kind == "text" %}
    md5({{ entity.name | name }}) as person,
    {% elif entity %}
    {{ entity.name | name }} as person,
    {% endif %}
    {% for column in kept %}
    {% if column.kind == "text" %}
    md5({{ column.name | name }}) as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% elif column.kind in ("single", "float") %}
    case
        when {{ column.name | name }} = 0 then 0.0
        else {{ column.name | name }}
    end as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% else %}
    {{ column.name | name }} as {{ "c" | numbered(loop.index) }}{{ "," if not loop.last }}
    {% endif %}
    {% endfor %}
from {{ source | name }} as source_row
{% if step > 1 %}
where rand(42) * {{ step | number }} < 1
{% endif %}
limit {{ rows | number }}
{% endblock %}
