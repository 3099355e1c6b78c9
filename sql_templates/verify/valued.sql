{#- The values of each class of a table; verify/unknown_values counts values without a code; inputs: group.values, table, quasi_identifiers, persons, person (its column); output: key_1 …, value, value_rows -#}
select
    {% for column in quasi_identifiers %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    value,
    {% if persons %}
    count(distinct person) as value_rows
    {% else %}
    count(*) as value_rows
    {% endif %}
from (
    select
        {% for column in quasi_identifiers %}
        {{ column | exact("release_row") }} as {{ "key" | numbered(loop.index) }},
        {% endfor %}
        {% if persons %}
        {{ person | exact("release_row") }} as person,
        {% endif %}
        case when release_row.{{ group.values.q.column.name | name }} is null then 0 else codes.code end as value
    from {{ table | name }} as release_row
    left join {{ group.values.codes | name }} as codes on codes.value = {{ group.values.q.column | exact("release_row") }}
) as coded
where value is not null
{% if persons %}
and person is not null
{% endif %}
group by
    {% for column in quasi_identifiers %}
    {{ "key" | numbered(loop.index) }},
    {% endfor %}
    value
