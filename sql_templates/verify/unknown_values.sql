{# Rows whose sensitive value has no code or, where shares are compared, none in the reference; inputs: table, values (q, codes, reference), referred, person (its column, or None); output: row_count #}
select count(*) as row_count
from {{ table | name }} as release_row
left join {{ values.codes | name }} as codes on codes.value = {{ values.q.column | exact("release_row") }}
{% if referred %}
left join {{ values.reference | name }} as reference
    on reference.code = case when release_row.{{ values.q.column.name | name }} is null then 0 else codes.code end
{% endif %}
where
    (release_row.{{ values.q.column.name | name }} is not null and codes.code is null)
    {% if referred and person %}
    or (reference.code is null and release_row.{{ person.name | name }} is not null)
    {% elif referred %}
    or reference.code is null
    {% endif %}
